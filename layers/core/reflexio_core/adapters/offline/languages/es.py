"""Spanish."""

from reflexio_core.adapters.offline.languages.es_verbs import VERBS
from reflexio_core.adapters.offline.languages.lexicon import Language, Phrases, pattern, words

_ADVERBS = words("ahora ya_no ya siempre nunca no también normalmente solo sólo casi_siempre actualmente todavía aún")
_HABITS = words(
    "vivo vivimos trabajo trabajamos prefiero preferimos odio odiamos detesto adoro uso usamos utilizo utilizamos hablo "
    "hablamos conduzco estudio tengo tenemos como bebo viajo viajamos compro compramos vendo soy somos llevo llevamos evito "
    "desplegamos facturamos programo escribo escribimos necesitamos fumo cocino colecciono juego practico pago pagamos "
    "guardamos enviamos vuelo duermo ceno desayuno suelo solemos dirijo gestiono entreno toco cultivo publicamos"
)
_STARTERS = (
    r"(?:yo|nosotros|me|nos|mi|mis|nuestr[oa]s?|siempre|nunca|no|por\sfavor|usa|utiliza|él|ella|ellos|pero|así\sque|que|"
    r"si|cuando|por\scierto|además|también|y|para|en\scaso|su|sus|el|la|los|las|esto|eso|entonces|prefiero|vivo|trabajo|"
    r"soy|tengo|uso|usa|deja|haz|escribe)\b"
)
_PERSONS = words(
    "jefe jefa colega compañero compañera amigo amiga vecino vecina cliente clienta clientes profesor profesora asistente "
    "primo prima tío tía médico abogado casero"
)

ES = Language(
    code="es",
    function_words=frozenset(
        (
            "el la los las un una unos unas de del al en y o que qué por para con sin mi mis tu su sus nuestro nuestra es son "
            "soy está están no sí me te se lo le les ya muy más pero como cómo yo este esta esto eso hola gracias usa uso "
            "siempre nunca tengo"
        ).split()
    ),
    clause_break=pattern(
        rf",?\s*(?=¿)|\s*[—–]\s*|\s+--?\s+|:\s+|\s+(?:pero|porque|aunque|mientras)\s+|,\s*(?={_STARTERS})"
        r"|,?\s+y\s+(?=(?:yo|me|nos|mi|mis|siempre|nunca|no|por\sfavor|usa|deja|trabajo|vivo|hablo|soy|tengo|prefiero|uso|odio|nuestr[oa]s?|quiero|busco|necesito|estoy)\b)"
    ),
    fillers=pattern(
        r"(?:(?:pues|bueno|oye|hola|sí|no(?=[,.])|vale|ok|y|e|pero|además|por cierto|en realidad|la verdad(?: es que)?|espera|"
        r"recuerda que|ten en cuenta que|gracias|mira|perdona|también|por favor|a partir de ahora|de ahora en adelante|"
        r"entonces|así que|es que|que conste que|genial|perfecto|muy bien|claro|de acuerdo|alto|eh|ah|encantad[oa])\b[\s,.!¡:;]*){1,6}"
    ),
    scope=pattern(r"(?P<scope>(?:para|con|en|cuando)\s[\w -]{2,30}?),\s+(?=\w)"),
    trailers=pattern(
        r"[\s,]*(?:,? ?\b(?:por cierto|por favor|gracias|vale|eh|en realidad|la verdad|además|también|aquí|mejor)\b[\s.!]*){1,3}$"
    ),
    question=pattern(r"¿|(?:qué|quién|cuál|cuándo|dónde|cómo|cuánt[oa]s?|por qué|puedes|podrías|me puedes)\b"),
    hypothetical=pattern(
        r"(?:^|[\s,(¿])(?:si(?! no\b[,.])|supongamos|supón|imagina|imaginemos|imagínate|digamos|pongamos|a lo mejor|quizás?|tal vez|"
        r"ojalá|por ejemplo|en teoría|hipotéticamente)\s"
    ),
    correction=pattern(
        r"(?:^|[.!?,—–\n]\s*)(?:no|espera|para|alto|en realidad|perdona)\b[,.\s]|\bno (?:es|era|está) (?:correct|eso|así|lo que)"
        r"|\bme refer[íi]a\b|\bquise decir\b|\b(?:mal|incorrect[oa]|equivocad[oa]|en vez de|en lugar de)\b|\bnunca\b|\bte (?:dije|pedí)\b"
    ),
    facts=(
        pattern(rf"(?:(?:yo|nosotr[oa]s)\s+)?(?:(?:{_ADVERBS})\s+){{0,3}}(?:{_HABITS})\b\s*\S"),
        pattern(
            rf"(?:a mí\s+)?(?:(?:{_ADVERBS})\s+){{0,3}}(?:me|nos)\s+(?:gustan?|encantan?|molestan?|apasionan?|interesan?|fascinan?|horrorizan?)\s+\S"
        ),
        pattern(
            rf"(?:(?:yo|nosotr[oa]s)\s+)?(?:(?:{_ADVERBS})\s+){{0,2}}(?:me mudé|nos mudamos|me he mudado|nos hemos mudado|cambié (?:a|de)|hemos cambiado a|he cambiado a|dejé de|empecé a|me llamo|me dedico|me jubilé|me casé|no soporto|no aguanto)\s+\S"
        ),
        pattern(
            rf"(?:(?:{_ADVERBS})\s+){{0,2}}(?:estoy|estamos)\s+(?:casad|divorciad|embarazad|jubilad|solter|en [A-ZÁÉÍÓÚÑ])\w*"
        ),
        pattern(
            r"(?:mis?|nuestr[oa]s?)\s+[^,]{1,60}?\s(?:es|son|está en|están en|se llaman?|corren?|usan?|tienen?|viven?|prefieren?|funcionan?|caduca|empieza|termina)\s+\S"
        ),
        pattern(r"ll[áa]mame\s+\S|podéis llamarme\s+\S|puedes llamarme\s+\S"),
        pattern(r"(?:yo\s+)?(?:antes\s+)\S.{0,100}\bahora\b"),
    ),
    not_facts=pattern(
        r"(?:no\s+)?(?:me|nos)\s+(?:gusta|encanta|molesta|interesa)n?\s+(?:eso|esto|esa idea|la idea|cómo|que|lo que|el chiste)\b"
        r"|(?:no\s+)?tengo\s+(?:una?\s+)?(?:pregunta|problema|que\b|dudas?|hambre|sueño|frío|calor|prisa|ganas|miedo|razón|error|idea|tiempo)"
        r"|soy\s+(?:yo|nuev[oa]|consciente|el que|la que|muy|todo)\b|como\s+(?:siempre|tú|te|ya|dije|si|quieras|el|la|un|una)\b"
        r"|(?:uso|llevo|como|tengo)\s+(?:eso|esto|lo)\b|mi\s+(?:pregunta|problema|duda|error|idea|pedido)\b|no tenemos\b|como\s"
    ),
    continued=None,
    others=pattern(
        rf"(?:(?:mis?|nuestr[oa]s?|el|la|los|las|su|sus)\s+(?:\w+\s+){{0,2}}(?:{_PERSONS})\b|(?:él|ella|ellos|ellas|su|sus|alguien|la gente)\b)"
    ),
    own=pattern(r"(?:yo|nosotr[oa]s|me|nos|mis?|nuestr[oa]s?|vivo|trabajo|uso|prefiero|tengo|soy)\b"),
    rendering=(
        (pattern(r"^(?:yo|nosotros|nosotras|a mí)\s+"), ""),
        (pattern(r"\b(?:vivo|vivimos)\b"), "vive"),
        (pattern(r"\b(?:trabajo|trabajamos)\b(?=\s+(?:en|como|para|por|con|de))"), "trabaja"),
        (pattern(r"\b(?:prefiero|preferimos)\b"), "prefiere"),
        (pattern(r"\b(?:odio|odiamos)\b"), "odia"),
        (pattern(r"\b(?:uso|usamos)\b"), "usa"),
        (pattern(r"\b(?:utilizo|utilizamos)\b"), "utiliza"),
        (pattern(r"\b(?:tengo|tenemos)\b"), "tiene"),
        (pattern(r"\b(?:soy|somos)\b"), "es"),
        (pattern(r"\b(?:hablo|hablamos)\b"), "habla"),
        (pattern(r"^estamos\b|^estoy\b"), "está"),
        (pattern(r"\b(?:llevo|llevamos)\b"), "lleva"),
        (pattern(r"\bdetesto\b"), "detesta"),
        (pattern(r"\badoro\b"), "adora"),
        (pattern(r"\bme llamo\b"), "se llama"),
        (pattern(r"\b(?:me|nos) (gusta|encanta|molesta|apasiona|interesa|fascina|horroriza)"), r"le \1"),
        (pattern(r"\bme (?:mudé|he mudado)\b|\bnos (?:mudamos|hemos mudado)\b"), "se mudó"),
        (pattern(r"^ll[áa]mame\s+|^puedes llamarme\s+|^podéis llamarme\s+"), "Quiere que le llamen "),
        (pattern(r"^(?:mis?|nuestr[oa]s?)\s+"), ""),
    ),
    never=pattern(
        r"(?:(?:nosotros\s+)?nunca(?:\s+más)?|no(?:\s+(?:me|nos|te|lo|la|los|las|le|les))?|deja de|evita|jamás)\s+"
        r"(?!(?:es|sé|sabes?|puedes?|puedo|tienes?|tengo|quier\w+|cre\w+|hay|eres|estás?|estoy|va[sn]?|más|las?|los?|soy|era|son|obstante|"
        r"pasa|importa|problema|te|me|se|nos|entiendo|así|gracias|olvides|recuerdes|guardes)\b)(?P<body>\S.{2,160})"
    ),
    always=pattern(
        r"(?:(?:nosotros\s+)?siempre\s+|asegúrate de\s+|recuerda\s+(?!que)|acuérdate de\s+|"
        r"(?=(?:usa|usad|usemos|utiliza|emplea|pon|escribe|responde|contesta|muestra|haz|abre|ejecuta|revisa|pregunta|confirma|incluye|envía|guarda|formatea|ordena|llama|deja)\b)|(?=\S.{0,60}\bsiempre\b))\s*(?P<body>\S.{2,160})"
    ),
    standing=pattern(
        r"\b(?:siempre|nunca|jamás|a partir de ahora|de ahora en adelante|cada vez|antes de cada|por defecto|la próxima vez|en adelante)\b"
    ),
    style=pattern(
        r"\b(?:respuestas?|resúmen(?:es)?|resumen|explicaci(?:ón|ones)|mensajes?|emojis?|exclamación|viñetas|comentarios?|correos?|tono|brev\w+|cort[oa]s?|formal|usted|tú)\b"
    ),
    meant=pattern(
        r"\b(?:me\s+refer[íi]a\s+a(?:l)?|quise\s+decir|quería\s+decir|(?:es|era)\s+)\s*(?P<good>[^,.;!?—]{1,60})(?:,?\s+(?:y\s+)?(?:no|en\svez\sde|en\slugar\sde)\s+(?P<bad>[^,.;!?—]{1,60}))?"
    ),
    forget=pattern(
        r"(?:por favor,?\s+)?(?:(?:olvida|olvídate de|no recuerdes|no guardes)\s+(?:lo que (?:te )?(?:dije|conté) (?:sobre|de)\s+|todo lo que sabes (?:sobre|de)\s+|que\s+)?(?P<topic>(?!lo\b$|eso\b|instrucciones).{2,100})"
        r"|(?:borra|elimina|quita)\s+(?P<topic2>(?:mis?|nuestr[oa]s?|todo)\s.{0,40}\b(?:teléfono|móvil|dirección|correo|cumpleaños|nombre|número|alergia|datos|preferencias|información|memoria|perfil)\b.{0,40}))"
    ),
    forget_everything=pattern(r"^(?:todo|mí$|mis (?:datos|recuerdos)$)"),
    verbs=VERBS,
    acting=pattern(
        r"(?:^|\b(?:estoy|voy a|he|hemos|ya|ahora|te|lo)\s+|[.!,:]\s+)(?P<verb>[a-záéíóúñA-ZÁÉÍÓÚÑ]{3,20})\s+(?P<item>[^.!?\n]{0,120})"
    ),
    asking=pattern(
        r"(?:^|\b(?:puedes|podrías|quiero|ayúdame a|por favor|cómo|para)\s+|[.!,:¿]\s*)(?P<verb>[a-záéíóúñA-ZÁÉÍÓÚÑ]{3,20})\s+(?P<item>[^.!?\n]{0,120})"
    ),
    when_clause=pattern(
        r"\b(?P<when>(?:antes de|después de|cuando|con (?:los|las|el|la)|al)\s+[^,.;!?]{3,60}?)(?=\s+(?:escribe|usa|siempre|nunca|haz|responde)\b|$|[,.;!?])"
    ),
    item_end=pattern(
        r"\s+(?:a|al|en|de|del|para|por|con|sin|y|o|pero|que|como|directamente|desde|hasta|sobre|contra|antes|después|porque|por\sfavor|mejor|ahora)\b|[,.;:!?(—–`\"…]"
    ),
    determiners=pattern(
        r"^(?:el|la|los|las|un|una|unos|unas|mi|mis|tu|tus|su|sus|nuestro|nuestra|este|esta|estos|estas|ese|esa|algún|alguna|cualquier|nada|me|te|nos)\s+"
    ),
    pronouns=pattern(r"^(?:lo|la|los|las|eso|esto|todo|nada|algo|me|te|se)\b$"),
    context=pattern(r"^\w+\s+(?P<context>(?:[a-záéíóúñ-]+\s+){1,3}?)(?:a|al|en|para|por|con|desde|como)\s"),
    toward=pattern(r"\b(?:a|al|hacia|contra)\s+$"),
    categories={
        "region": "región",
        "url": "URL",
        "email": "correo electrónico",
        "path": "ruta",
        "file": "archivo",
        "version": "versión",
        "branch": "rama",
        "table": "tabla",
        "column": "columna",
        "database": "base de datos",
        "bucket": "bucket",
        "service": "servicio",
        "cluster": "clúster",
        "port": "puerto",
        "time": "hora",
        "date": "fecha",
        "format": "formato",
        "date format": "formato de fecha",
        "currency": "moneda",
        "amount": "importe",
        "quantity": "cantidad",
        "unit": "unidad",
        "language": "idioma",
        "tone": "tono",
        "package manager": "gestor de paquetes",
        "test runner": "ejecutor de pruebas",
        "formatter": "formateador",
        "editor": "editor",
        "tool": "herramienta",
        "framework": "framework",
        "programming language": "lenguaje de programación",
        "ci system": "sistema de CI",
        "airline": "aerolínea",
        "hotel": "hotel",
        "customer": "cliente",
        "identifier": "nombre",
        "name": "nombre",
        "place": "lugar",
        "queue": "cola",
        "function": "función",
        "variable": "variable",
        "message broker": "gestor de mensajes",
        "environment": "entorno",
        "cloud": "proveedor de nube",
        "timezone": "zona horaria",
        "account": "cuenta",
        "channel": "canal",
        "model": "modelo",
    },
    category_tasks={
        "package manager": "instalar paquetes",
        "test runner": "ejecutar pruebas",
        "branch": "subir cambios",
        "formatter": "formatear código",
        "database": "usar una base de datos",
        "region": "elegir una región",
        "currency": "indicar un importe",
        "unit": "indicar una cantidad",
        "date format": "escribir una fecha",
        "date": "fijar una fecha",
        "time": "fijar una hora",
        "path": "escribir archivos",
        "file": "cambiar un archivo",
    },
    nouns={
        "región": "region",
        "rama": "branch",
        "tabla": "table",
        "columna": "column",
        "base": "database",
        "servicio": "service",
        "clúster": "cluster",
        "puerto": "port",
        "archivo": "file",
        "fichero": "file",
        "carpeta": "path",
        "moneda": "currency",
        "vuelo": "airline",
        "aerolínea": "airline",
        "hotel": "hotel",
        "cliente": "customer",
        "cola": "queue",
        "función": "function",
        "versión": "version",
        "cuenta": "account",
        "canal": "channel",
        "subas": "branch",
        "fusiones": "branch",
        "fechas": "date format",
        "formato": "format",
        "herramienta": "tool",
    },
    generic=frozenset("producción pruebas nuevo nueva viejo mensual semanal diario ventas cliente principal".split()),
    durations=(
        (pattern(r"\b(?:hoy|esta noche|esta (?:mañana|tarde)|mañana)\b"), "one_day"),
        (pattern(r"\b(?:esta semana|por ahora|la semana que viene|estos días|este fin de semana)\b"), "one_week"),
        (pattern(r"\b(?:este mes|de momento|temporalmente)\b"), "one_month"),
        (pattern(r"\b(?:este trimestre|este verano|este invierno)\b"), "one_quarter"),
        (pattern(r"\b(?:este año|el año que viene)\b"), "one_year"),
    ),
    attributes=(
        ("residence", pattern(r"^(?:\w+\s+){0,3}?(?:vive|vivo|se mudó|me mudé|reside|vivimos)\s+(?:en|a)\b")),
        ("employer", pattern(r"^(?:\w+\s+){0,3}?(?:trabaja|trabajo)\s+(?:en|para)\b")),
        ("name", pattern(r"^(?:se llama|me llamo|nombre es)\b")),
        ("nickname", pattern(r"^(?:quiere que le llamen|ll[áa]mame)")),
        ("birthday", pattern(r"\bcumpleaños\b")),
        ("timezone", pattern(r"\b(?:zona horaria|huso)\b")),
        ("age", pattern(r"\b(?:tiene|tengo) \d{1,3} años$")),
        ("phone", pattern(r"\b(?:teléfono|móvil)\b")),
        ("address", pattern(r"\bdirección\b")),
        ("email", pattern(r"\bcorreo(?: electrónico)? es\b")),
        ("job", pattern(r"^(?:puesto|trabajo|cargo) es\b")),
        (
            "sentiment",
            pattern(
                r"^(?:\w+\s+){0,3}?(?:prefier|odi|detest|ador|le gusta|le encanta|me gusta|me encanta|le molesta|no soport)"
            ),
        ),
    ),
    negation=pattern(r"\b(?:no|ya no|nunca|odi[ao]|detest[ao]|evit[ao]|dejó|sin)\b"),
    functional=frozenset(
        (
            "nombre título presupuesto límite plazo tamaño región rama versión moneda zona idioma formato puerto precio sueldo dirección "
            "teléfono correo cumpleaños favorito favorita preferido preferida unidad plan puesto equipo fecha"
        ).split()
    ),
    copula=pattern(r"\s(?:es|son|está en|están en|tiene|tienen)(?:\sde)?\s"),
    using=pattern(r"\b(?:usa|uso|usamos|utiliza|utilizamos|cambié a)\b"),
    purpose=pattern(r"\b(?:para|como)\s+(?P<purpose>[\w -]{2,40})$"),
    time_words=frozenset("ahora ya mas much antes hoy".split()),
    contrast=pattern(r",?\s+(?:en\svez\sde|en\slugar\sde|y\sno|no)\s+"),
    phrases=Phrases(
        value="{Category} de {context}: {good}",
        value_alone="{Category} preferido: {good}",
        rejected=" (nunca {bad})",
        before="Antes de {task}",
        when="Al {task}",
        answering="responder al usuario",
        acting="actuar sobre la petición",
        confirm="Confirmar {category} según lo que pide el usuario antes de {task}",
        avoid="Evitar: {body}",
        instead="{body}, en vez de {other}",
        details="los detalles",
        target="{category} de destino",
        asked="Cuando el usuario pregunta por {topic}",
        cover="Incluir lo que añade un experto: {body}",
        corrected="El usuario corrigió al agente en esto.",
        preferred="El usuario lo pidió como preferencia duradera.",
        expert="La respuesta de un experto iba más lejos que la del agente.",
    ),
)
