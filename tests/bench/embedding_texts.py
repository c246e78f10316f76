"""Pairs of a short learning and a query that it answers, in the three languages of the product."""

PAIRS: tuple[tuple[str, str], ...] = (
    ("Ships releases on Thursdays only, never before a weekend", "which day do we deploy"),
    ("Is allergic to peanuts and carries an adrenaline pen", "can she eat this satay"),
    ("Works as a nurse on the night shift in Rotterdam", "what is her job"),
    ("Prefers short answers with the command first", "how should I format replies"),
    ("Production runs in the Frankfurt region", "where are the servers hosted"),
    ("Has two sons, Emil and Anton, who play hockey", "tell me about his children"),
    ("Wants prices with tax included", "how to display amounts to this customer"),
    ("Uses PostgreSQL 16 with logical replication", "which database does the team use"),
    ("Is training for the Valencia marathon in December", "sports goals this year"),
    ("Before a migration, take a snapshot and check that it restores", "steps ahead of changing the schema"),
    ("When a refund is asked for, confirm the order number first", "customer wants the money back"),
    ("Do not suggest meetings before ten in the morning", "when can we schedule a call"),
    ("Le gusta el café sin azúcar", "cómo toma el café"),
    ("Trabaja como arquitecta en Sevilla", "cuál es su profesión"),
    ("Tiene alergia a los gatos", "puede tener mascotas en casa"),
    ("Prefiere que le escriban por correo y no por teléfono", "cuál es la mejor forma de contactarla"),
    ("Antes de borrar datos, pide confirmación por escrito", "qué hacer antes de eliminar registros"),
    ("Su vuelo a Bogotá sale el lunes por la mañana", "cuándo viaja"),
    ("Usa Linux en el portátil y Windows en la oficina", "qué sistema operativo utiliza"),
    ("No come carne desde hace tres años", "opciones de comida para la cena"),
    ("她住在杭州，在一家医院当医生", "她做什么工作"),
    ("他不吃辣，也不喝酒", "点菜要注意什么"),
    ("发布之前必须先跑完整的测试", "上线前要做什么"),
    ("喜欢用表格而不是长段落", "回答用什么格式"),
    ("每周三下午没有空", "什么时候可以开会"),
    ("数据库备份保存三十天", "备份保留多久"),
    ("他的女儿今年上小学", "他有孩子吗"),
    ("客户要求发票用英文开具", "发票用什么语言"),
)

DOCUMENTS: tuple[str, ...] = tuple(document for document, _ in PAIRS)
QUERIES: tuple[str, ...] = tuple(query for _, query in PAIRS)
