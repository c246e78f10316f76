"""Facts as people state them in Spanish: what counts as one, what only looks like one, how it is written down."""

from reflexio_core.adapters.offline.languages.lexicon import pattern, words

ADVERBS = words("ahora ya_no ya siempre nunca no también normalmente solo sólo casi_siempre actualmente todavía aún")
_HABITS = words(
    "vivo vivimos trabajo trabajamos prefiero preferimos odio odiamos detesto adoro uso usamos utilizo "
    "utilizamos hablo "
    "hablamos conduzco estudio tengo tenemos como bebo viajo viajamos compro compramos vendo soy somos "
    "llevo llevamos evito "
    "desplegamos facturamos programo escribo escribimos necesitamos fumo cocino colecciono juego practico pago pagamos "
    "guardamos enviamos vuelo duermo ceno desayuno suelo solemos dirijo gestiono entreno toco cultivo publicamos"
)
_PERSONS = words(
    "jefe jefa colega compañero compañera amigo amiga vecino vecina cliente clienta clientes profesor "
    "profesora asistente "
    "primo prima tío tía médico abogado casero"
)
FACTS = (
    pattern(rf"(?:(?:yo|nosotr[oa]s)\s+)?(?:(?:{ADVERBS})\s+){{0,3}}(?:{_HABITS})\b\s*\S"),
    pattern(
        rf"(?:a mí\s+)?(?:(?:{ADVERBS})\s+){{0,3}}(?:me|nos)\s+(?:gustan?|encantan?|molestan?|"
        rf"apasionan?|interesan?|fascinan?|horrorizan?)\s+\S"
    ),
    pattern(
        rf"(?:(?:yo|nosotr[oa]s)\s+)?(?:(?:{ADVERBS})\s+){{0,2}}(?:me mudé|nos mudamos|me he "
        rf"mudado|nos hemos mudado|cambié (?:a|de)|hemos cambiado a|he cambiado a|dejé de|empecé a|"
        rf"me llamo|me dedico|me jubilé|me casé|no soporto|no aguanto)\s+\S"
    ),
    pattern(
        rf"(?:(?:{ADVERBS})\s+){{0,2}}(?:estoy|estamos)\s+(?:casad|divorciad|embarazad|jubilad|"
        rf"solter|en (?-i:[A-ZÁÉÍÓÚÑ]))\w*"
    ),
    pattern(
        rf"(?:(?:{ADVERBS})\s+){{0,2}}(?:(?:lo|la|los|las|les?|nos|se)\s+)?(?!(?:vamos|hemos|"
        rf"podemos|queremos|debemos|estamos|veamos|"
        r"íbamos|éramos|fuimos|sabemos|quedamos|hablamos\sluego|seguimos|empezamos|tenemos\sque)\b)"
        r"\w{2,14}[aei]mos\s+\S"
    ),
    pattern(
        r"(?:mis?|nuestr[oa]s?)\s+[^,]{1,60}?\s(?:es|son|está en|están en|se llaman?|corren?|usan?|"
        r"tienen?|viven?|prefieren?|funcionan?|caduca|empieza|termina)\s+\S"
    ),
    pattern(r"ll[áa]mame\s+\S|podéis llamarme\s+\S|puedes llamarme\s+\S"),
    pattern(r"(?:yo\s+)?(?:antes\s+)\S.{0,100}\bahora\b"),
)
NOT_FACTS = pattern(
    r"(?:no\s+)?(?:me|nos)\s+(?:gusta|encanta|molesta|interesa)n?\s+(?:eso|esto|esa idea|la idea|"
    r"cómo|que|lo que|el chiste)\b"
    r"|(?:no\s+)?tengo\s+(?:una?\s+)?(?:pregunta|problema|que\b|dudas?|hambre|sueño|frío|calor|"
    r"prisa|ganas|miedo|razón|error|idea|tiempo)"
    r"|soy\s+(?:yo|nuev[oa]|consciente|el que|la que|muy|todo)\b|como\s+(?:siempre|tú|te|ya|dije|"
    r"si|quieras|el|la|un|una)\b"
    r"|(?:uso|llevo|como|tengo)\s+(?:eso|esto|lo)\b|mi\s+(?:pregunta|problema|duda|error|idea|"
    r"pedido)\b|no tenemos\b|como\s"
)
OTHERS = pattern(
    rf"(?:(?:mis?|nuestr[oa]s?|el|la|los|las|su|sus)\s+(?:\w+\s+){{0,2}}(?:{_PERSONS})\b(?!\s(?:es|son|"
    rf"se llama)\s(?-i:[A-ZÁÉÍÓÚÑ])\w+(?:\s(?-i:[A-ZÁÉÍÓÚÑ])\w+){{0,3}}$)|(?:él|"
    rf"ella|ellos|ellas|su|sus|alguien|la gente)\b)"
)
RENDERING = (
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
    (pattern(r"\b(?:estamos|estoy)\b"), "está"),
    (pattern(r"\b(?:llevo|llevamos)\b"), "lleva"),
    (pattern(r"\bdetesto\b"), "detesta"),
    (pattern(r"\badoro\b"), "adora"),
    (pattern(r"\bme llamo\b"), "se llama"),
    (pattern(r"\b(?:me|nos) (gusta|encanta|molesta|apasiona|interesa|fascina|horroriza)"), r"le \1"),
    (pattern(r"\bme (?:mudé|he mudado)\b|\bnos (?:mudamos|hemos mudado)\b"), "se mudó"),
    (pattern(r"^ll[áa]mame\s+|^puedes llamarme\s+|^podéis llamarme\s+"), "Quiere que le llamen "),
    (pattern(r"^(?:mis?|nuestr[oa]s?)\s+"), ""),
)
