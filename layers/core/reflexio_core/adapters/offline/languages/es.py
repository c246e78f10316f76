"""Spanish."""

from reflexio_core.adapters.offline.languages import es_facts as facts
from reflexio_core.adapters.offline.languages.es_verbs import VERBS
from reflexio_core.adapters.offline.languages.lexicon import Language, Phrases, entries, pattern

_STARTERS = (
    r"(?:yo|nosotros|ahora|hoy|me|nos|mi|mis|nuestr[oa]s?|siempre|nunca|no|por\sfavor|usa|utiliza|él|"
    r"ella|ellos|pero|así\sque|que|"
    r"si|cuando|por\scierto|además|también|y|para|en\scaso|su|sus|el|la|los|las|esto|eso|entonces|"
    r"prefiero|vivo|trabajo|"
    r"soy|tengo|uso|usa|deja|haz|escribe)\b"
)

ES = Language(
    code="es",
    function_words=entries(
        "a el la los las un una unos unas de del al en y o que qué por para con sin mi mis tu su sus nuestro "
        "nuestra es son "
        "soy está están no sí me te se lo le les ya muy más pero como cómo yo este esta esto eso "
        "hola gracias usa uso "
        "siempre nunca tengo"
    ),
    clause_break=pattern(
        rf",?\s*(?=¿)|\s+y\s+que\s+|,\s+(?=\w*[áéí]\w*(?:me|lo|la|los|las|nos)\b)|\s*[—–]\s*|\s+--?\s+|:\s+|"
        rf"\s+(?:pero|porque|aunque|mientras)\s+|,\s*(?={_STARTERS})"
        r"|,?\s+y\s+(?=(?:yo|me|nos|mi|mis|siempre|nunca|no|por\sfavor|usa|deja|trabajo|vivo|hablo|soy|"
        r"tengo|prefiero|uso|odio|nuestr[oa]s?|quiero|busco|necesito|estoy)\b)"
    ),
    fillers=pattern(
        r"(?:(?:pues|bueno|oye|hola|sí|no(?=[,.])|vale|ok|y|e|pero|además|por cierto|en realidad|la "
        r"verdad(?: es que)?|espera|"
        r"recuerda que|ten en cuenta que|ya te (?:dije|he dicho)(?: que)?|te (?:dije|he dicho)(?: que)?|"
        r"gracias|mira|perdona|también|por favor|a partir de ahora|de ahora en adelante|"
        r"entonces|así que|es que|que conste que|genial|perfecto|muy bien|claro|de acuerdo|alto|eh|ah|"
        r"encantad[oa])\b[\s,.!¡:;]*){1,6}"
    ),
    scope=pattern(
        r"(?P<scope>(?:para|con|en|cuando)\s[\w -]{2,30}?),\s+(?=\w)|(?P<fronted>a\s(?:los|las|la|el)"
        r"\s[\w ]{2,40}?)\s+(?=les?\s)"
    ),
    topic=None,
    trailers=pattern(
        r"[\s,]*(?:,? ?\b(?:por cierto|por favor|gracias|vale|eh|en realidad|la verdad|además|también|"
        r"aquí|mejor|a partir de ahora|de ahora en adelante)\b[\s.!]*){1,3}$"
    ),
    question=pattern(r"¿|(?:qué|quién|cuál|cuándo|dónde|cómo|cuánt[oa]s?|por qué|puedes|podrías|me puedes)\b"),
    hypothetical=pattern(
        r"(?:^|[\s,(¿])(?:si(?! no\b[,.])|supongamos|supón|imagina|imaginemos|imagínate|digamos|"
        r"pongamos|a lo mejor|quizás?|tal vez|"
        r"ojalá|por ejemplo|en teoría|hipotéticamente)\s"
    ),
    correction=pattern(
        r"(?:^|[.!?,—–\n]\s*)(?:no|espera|para|alto|en realidad|perdona)\b[,.\s]|\bno (?:es|era|está) "
        r"(?:correct|eso|así|lo que)"
        r"|\bme refer[íi]a\b|\bquise decir\b|\b(?:mal|incorrect[oa]|equivocad[oa]|en vez de|en lugar "
        r"de)\b|\bnunca\b|\bte (?:dije|pedí)\b"
    ),
    facts=facts.FACTS,
    impersonal=pattern(r"(?:el|la|los|las)\s+(?:[\w-]+\s){1,5}?(?:es|son|está en|están en|se llama)\s+\S"),
    not_facts=facts.NOT_FACTS,
    continued=None,
    implied="",
    others=facts.OTHERS,
    solo=pattern(
        rf"(?:(?:{facts.ADVERBS})\s+){{0,3}}(?:yo|vivo|trabajo|prefiero|odio|detesto|adoro|uso|utilizo|"
        rf"hablo|conduzco|estudio|tengo|como|bebo|viajo|compro|vendo|soy|llevo|evito|fumo|escribo|pago|"
        rf"vuelo|duermo|ceno|suelo|quiero|puedo|estoy)\b"
    ),
    own=pattern(r"(?:yo|nosotr[oa]s|me|nos|mis?|nuestr[oa]s?|vivo|trabajo|uso|prefiero|tengo|soy)\b"),
    rendering=facts.RENDERING,
    never=pattern(
        r"(?:(?:nosotros\s+)?nunca(?:\s+más)?|no(?:\s+(?:me|nos|te|lo|la|los|las|le|les))?|deja de|evita|"
        r"jamás|sin(?=\s+(?:emojis?|signos|exclamaciones|jerga|viñetas|tecnicismos|rodeos|disculpas)\b))\s+"
        r"(?!(?:es|sé|sabes?|puedes?|puedo|tienes?|tengo|quier\w+|cre\w+|hay|eres|estás?|estoy|va[sn]?|"
        r"más|las?|los?|soy|era|son|obstante|"
        r"pasa|importa|problema|te|me|se|nos|entiendo|así|gracias|olvides|recuerdes|guardes)\b)(?P<body>\S.{2,160})"
    ),
    always=pattern(
        r"(?:(?:nosotros\s+)?siempre\s+|asegúrate de\s+|recuerda\s+(?!que)|acuérdate de\s+|"
        r"(?=(?:les?\s)?\w{3,14}[aei]mos\b)|(?=\w*[áéí]\w*(?:me|mela|melo|melas|melos|la|lo|las|los|"
        r"nos)\b)|(?=(?:usa|usad|usemos|utiliza|emplea|pon|escribe|responde|contesta|muestra|haz|abre|"
        r"ejecuta|revisa|pregunta|confirma|incluye|envía|guarda|formatea|ordena|llama|deja)\b)|(?=(?:vuelve|"
        r"cambia)\sa\b)|"
        r"(?=\S.{0,60}\bsiempre\b))\s*(?P<body>\S.{2,160})"
    ),
    standing=pattern(
        r"\b(?:siempre|nunca|jamás|a partir de ahora|de ahora en adelante|cada vez|antes de cada|(?:pon|"
        r"guarda|coloca)\s(?:l[ao]s\s)?\w+s\sen\s[\w.-]+/|por "
        r"defecto|la próxima vez|en adelante)\b"
    ),
    style=pattern(
        r"\b(?:respuestas?|resúmen(?:es)?|resumen|explicaci(?:ón|ones)|mensajes?|emojis?|exclamación|"
        r"viñetas|comentarios?|correos?|tono|brev\w+|cort[oa]s?|formal|usted|tú)\b"
    ),
    meant=pattern(
        r"\b(?:me\s+refer[íi]a\s+a(?:l)?|quise\s+decir|quería\s+decir|(?:es|era)\s+)"
        r"\s*(?P<good>[^,.;!?—]{1,60})(?:,?\s+(?:y\s+)?(?:no|en\svez\sde|en\slugar\sde)"
        r"\s+(?P<bad>[^,.;!?—]{1,60}))?"
    ),
    forget=pattern(
        r"(?:por favor,?\s+)?(?:(?:olvida|olvídate de|no recuerdes|no guardes)\s+(?:lo que (?:te )"
        r"?(?:dije|conté) (?:sobre|de)\s+|todo lo que (?:sabes|te (?:dije|conté)) (?:sobre|de)\s+|que\s+|"
        r"lo de(?:l)?\s+)?(?P<topic>(?!lo\b$|"
        r"eso\b|esto\b|instrucciones).{2,100})"
        r"|(?:borra|elimina|quita)\s+(?P<topic2>(?:mis?|nuestr[oa]s?|todo)\s.{0,40}\b(?:teléfono|móvil|"
        r"dirección|correo|cumpleaños|nombre|número|alergia|datos|preferencias|información|memoria|"
        r"perfil)\b.{0,40}))"
    ),
    forget_everything=pattern(
        r"^(?:todo(?:\s+(?!sobre\b|de\b|acerca\b)\w+){0,6}(?:\s+(?:sobre|acerca\sde|de)\s+mí)?$|mí$|"
        r"mis (?:datos|recuerdos)$)"
    ),
    verbs=VERBS,
    acting=pattern(
        r"(?:^|\b(?:estoy|voy a|he|hemos|ya|ahora|te|lo)\s+|[.!,:]\s+)"
        r"(?P<verb>[a-záéíóúñA-ZÁÉÍÓÚÑ]{3,20})\s+(?P<item>[^.!?\n]{0,120})"
    ),
    asking=pattern(
        r"(?:^|\b(?:puedes|podrías|quiero|ayúdame a|por favor|cómo|para)\s+|[.!,:¿]\s*)"
        r"(?P<verb>[a-záéíóúñA-ZÁÉÍÓÚÑ]{3,20})\s+(?P<item>[^.!?\n]{0,120})"
    ),
    when_clause=pattern(
        r"\b(?P<when>(?:antes de|después de|cuando|con (?:los|las|el|la)|al)\s+[^,.;!?]{3,60}?)"
        r"(?=\s+(?:escribe|usa|siempre|nunca|haz|responde)\b|$|[,.;!?])"
    ),
    item_end=pattern(
        r"\s+(?:a|al|en|de|del|para|por|con|sin|y|o|pero|que|como|directamente|desde|hasta|sobre|"
        r"contra|antes|después|porque|por\sfavor|mejor|ahora)\b|[,.;:!?(—–`\"…]"
    ),
    determiners=pattern(
        r"^(?:el|la|los|las|un|una|unos|unas|mi|mis|tu|tus|su|sus|nuestro|nuestra|este|esta|estos|"
        r"estas|ese|esa|algún|alguna|cualquier|nada|me|te|nos)\s+"
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
        "day": "día",
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
    generic=entries("producción pruebas nuevo nueva viejo mensual semanal diario ventas cliente principal"),
    durations=(
        (pattern(r"\b(?:hoy|esta noche|esta (?:mañana|tarde)|mañana)\b"), "one_day"),
        (pattern(r"\b(?:esta semana|por ahora|la semana que viene|estos días|este fin de semana)\b"), "one_week"),
        (pattern(r"\b(?:este mes|de momento|temporalmente)\b"), "one_month"),
        (pattern(r"\b(?:este trimestre|este verano|este invierno)\b"), "one_quarter"),
        (pattern(r"\b(?:este año|el año que viene)\b"), "one_year"),
    ),
    attributes=(
        ("residence", pattern(r"^(?:\w+\s+){0,3}?(?:vive|vivo|se mudó|me mudé|reside|vivimos)\s+(?:en|a)\b")),
        ("employer", pattern(r"^(?:\w+\s+){0,3}?(?:trabaja|trabajo)\s+(?:como\s+[\w\s]{2,40}?\s)?(?:en|para)\b")),
        ("name", pattern(r"^(?:se llama|me llamo|nombre es)\b")),
        ("nickname", pattern(r"^(?:quiere que le llamen|ll[áa]mame)")),
        ("birthday", pattern(r"\bcumpleaños\b")),
        ("timezone", pattern(r"\b(?:zona horaria|huso)\b")),
        ("age", pattern(r"\b(?:tiene|tengo) \d{1,3} años$")),
        ("phone", pattern(r"\b(?:teléfono|móvil)\b")),
        ("address", pattern(r"\bdirección\b")),
        ("email", pattern(r"\bcorreo(?: electrónico)? es\b")),
        ("job", pattern(r"^(?:puesto|trabajo|cargo) es\b")),
        ("car", pattern(r"^(?:\w+\s+){0,2}?(?:conduce|conduzco)\b")),
        ("size", pattern(r"\btalla\b")),
        ("studies", pattern(r"^(?:\w+\s+){0,2}?(?:estudia|estudio)\b")),
        (
            "sentiment",
            pattern(
                r"^(?:\w+\s+){0,3}?(?:prefier|odi|detest|ador|le gusta|le encanta|me gusta|me encanta|"
                r"le molesta|no soport)"
            ),
        ),
    ),
    current=pattern(r"\b(?:ahora|actualmente|ya)\b"),
    negation=pattern(r"\b(?:no|ya no|nunca|odi[ao]|detest[ao]|evit[ao]|dejó|sin)\b"),
    functional=entries(
        "nombre título presupuesto límite plazo tamaño región rama versión moneda zona idioma formato "
        "puerto precio sueldo dirección "
        "teléfono correo cumpleaños favorito favorita preferido preferida unidad plan puesto equipo fecha"
    ),
    copula=pattern(r"\s(?:es|son|está en|están en|tiene|tienen)(?:\sde)?\s"),
    using=pattern(r"\b(?:usa|uso|usamos|utiliza|utilizamos|cambié a)\b"),
    purpose=pattern(r"\b(?:para|como)\s+(?P<purpose>[\w -]{2,40})$"),
    time_words=entries("ahora ya mas much antes hoy"),
    contrast=pattern(r",?\s+(?:en\svez\sde|en\slugar\sde|y\sno|no)\s+"),
    phrases=Phrases(
        value="{Category} de {context}: {good}",
        value_alone="Preferencia de {category}: {good}",
        rejected_once=" (no {bad})",
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
