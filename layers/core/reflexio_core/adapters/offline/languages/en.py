"""English."""

from reflexio_core.adapters.offline.languages import en_facts as facts
from reflexio_core.adapters.offline.languages.en_verbs import BASES, VERBS
from reflexio_core.adapters.offline.languages.lexicon import Language, Phrases, entries, pattern, words

_STARTERS = (
    r"(?:I|I'm|we|we're|my|our|always|never|don'?t|do\snot|please|use|keep|stop|it'?s|that'?s|that|now(?=\s(?:I|we)\b)|"
    r"which|she|he|they|you|"
    r"her|his|their|the|if|when|in\scase|by\sthe\sway|just|let'?s|also|then|remember|so|but|and|skip|"
    r"call|do|does|is|are|can|could|what|where|how|will|would|should|any)\b"
)

_IMPERATIVES = words(" ".join(BASES))

EN = Language(
    code="en",
    function_words=entries(
        "the a an is are was were i i'm you we my our your it its it's to of in on at and or for with that "
        "this not do "
        "does don't please what how can could will would be have has me be no but so if then they their"
    ),
    clause_break=pattern(
        rf"\s*[—–]\s*|\s+--?\s+|:\s+|\s+(?:but|because|although|though|while)\s+|,\s*(?={_STARTERS})"
        rf"|,?\s+(?:and|so)\s+(?=(?:I|I'm|we|my|our|always|never|don'?t|please|use|stop|keep|it'?s|she|he|they)\b)"
        r"|,\s+(?=(?:and|so|but|or)\s)"
    ),
    fillers=pattern(
        r"(?:(?:well|ok|okay|so|and|but|also|actually|honestly|oh|hey|hi|hello|yes|yeah|yep|no(?!\s(?:emojis?|"
        r"exclamation|jargon|bullets?|headings?|more|fluff|preamble|disclaimers?|apologies)\b)|nope|wait|sorry|please|"
        r"by the way|btw|fyi|just so you know|for the record|(?:please )?remember that|remember|note that|"
        r"(?:please )?keep in mind that|to be clear|in fact|thanks|thank you|great|alright|all right|"
        r"fine|sure|perfect|nice|"
        r"now|from now on|going forward|in future|in the future|next time|again|for context|quick "
        r"context|look|as i said|as i told you|"
        r"I(?:'ve| have)?(?: already)? (?:told|said to) you(?: before| already)?(?: that)?|I(?:'ve|"
        r" have)? already said(?: that)?|"
        r"then|hm+|um|uh|right|cool|good|which means|listen)\b[\s,.!:;]*){1,6}"
    ),
    scope=pattern(
        r"(?P<scope>(?:for|with|in|on|at|when|as for)\s[\w' -]{2,30}?),?\s+(?=(?:I|we|my|our|never|"
        r"always|don't|please|use|avoid)\b)"
    ),
    topic=None,
    trailers=pattern(
        r"[\s,]*(?:,? ?\b(?:by the way|btw|please|thanks|thank you|though|anyway|too|right|ok|okay|"
        r"here|just so you know|"
        r"for the record|you know|fyi|in case that matters|instead|either|as well|if possible|"
        r"ourselves|myself|from now on|going forward|from here on)\b[\s.!]*){1,3}$"
    ),
    question=pattern(
        r"(?:what|who|whom|whose|which|when|where|why|how|is|are|am|do(?!\snot\b)|does|did|can|could|will|would|"
        r"should|shall|have you|"
        r"has|may|might)\b"
    ),
    hypothetical=pattern(
        r"(?:^|[\s,(])(?:if|suppose|supposing|imagine|let'?s (?:say|assume|pretend)|say i|assuming|"
        r"assume|hypothetically|"
        r"what if|pretend|in theory|unless|i (?:might|may|could|would(?! rather| prefer| like)|wish)|maybe|perhaps|"
        r"probably|for example|e\.g\.)\b"
    ),
    correction=pattern(
        r"(?:^|[.!?,—–\n]\s*|^\s*)(?:no|nope|wait|stop|actually|hold on|hang on|not quite|sorry)"
        r"\b(?!\s+(?:problem|worries|idea))"
        r"|\bthat(?:'s| is| was)(?: not|n't)?\s*(?:what i|right|correct|wrong|incorrect|not)\b"
        r"|\bi (?:meant|said|asked for)\b|\b(?:wrong|incorrect|instead|rather than|should (?:have|be)|supposed to)\b"
        r"|,\s+not\s+\w|\bdo(?:n't| not)\b|\bnever\b(?! mind)|\byou (?:forgot|missed|keep|always)\b|"
        r"\bas i (?:said|told)\b"
    ),
    facts=facts.FACTS,
    impersonal=pattern(
        r"(?!(?:that|this|it|these|those|there|he|she|they|you|what|which|who|here|everything|nothing|all|so)\b)"
        r"(?:the\s+)?(?:[\w-]+\s){1,4}?(?:is|are|should be|runs (?:in|on)|lives (?:in|on|at)|is called|"
        r"goe?s? (?:to|in|into|under))\s+\S"
    ),
    not_facts=facts.NOT_FACTS,
    continued=pattern(
        r"(?:never|always|usually|mostly|rarely|often|also|hate|love|prefer|like|don't|do\snot|live|work|use)\b"
    ),
    implied="I ",
    others=facts.OTHERS,
    solo=pattern(r"I\b"),
    own=pattern(r"(?:I|we|my|our|me)\b"),
    rendering=facts.RENDERING,
    never=pattern(
        r"(?:(?:we|I|you)\s+(?:should\s+|must\s+)?)?(?:(?:please\s+)?(?:never(?:\s+ever)?|do(?:n't| "
        r"not)(?:\s+(?:you\s+)?(?:ever|always|just))?|"
        r"stop|avoid|quit|no more|(?:no|without)(?=\s+(?:emojis?|exclamation|jargon|bullets?|headings?|fluff|"
        r"preamble|disclaimers?|apologies)\b)))\s+(?!mind\b|worry\b|forget\b|know\b|think\b|need\b|have\b|want\b|"
        r"see\b|understand\b|"
        r"get\b|remember\b|care\b|it\b|that\b|this\b|bother\b|be\b|like\b|the\b|you\b|hesitate\b|"
        r"agree\b)(?P<body>\S.{2,160})"
    ),
    always=pattern(
        r"(?:(?:we|I|you)\s+(?:should\s+|must\s+)?)?(?:please\s+)?(?:always|only|you (?:need|have|"
        r"ought) to|you (?:must|should)(?!\s+(?:have|be|know|see|understand|get)\b)|(?=(?:go|switch|change|"
        r"return)\sback\sto\b)|make sure (?:to|you|that you)|be sure to|remember to|"
        rf"(?=(?:{_IMPERATIVES}|use|keep|write|answer|respond|reply|show|put|open|run|take|make|find|"
        rf"ask|check|format|start|include|"
        r"send|give|add|call|address|round|sort|name|test|explain|quote|list|set|create|target|merge|deploy|book|bill|"
        r"do|leave|confirm|verify|stick)\b))\s*"
        r"(?P<body>(?!sure\b|it\b|that\b|a second|me know|me\b|sense\b)\S.{2,160})"
    ),
    standing=pattern(
        r"\b(?:always|never|from now on|going forward|every time|whenever|before every|before each|"
        r"after every|for every|"
        r"each time|in future|in the future|next time|make sure|be sure to|by default|before you|before any|"
        r"only\s(?:contact|email|call|text|message|write to|reach)|"
        r"(?:put|keep|place|store|save)\s(?:all\s|the\s|your\s|new\s)?\w+s\s(?:in|under)\s[\w.-]+/|"
        r"don't "
        r"ever|do not ever)\b"
    ),
    style=pattern(
        r"\b(?:answers?|responses?|replies|reply|summar(?:y|ies)|explanations?|messages?|emojis?|exclamation|bullets?|"
        r"comments?|emails?|mails?|tone|short|brief|concise|formal|informal|jargon|headings?)\b"
    ),
    meant=pattern(
        r"\b(?:I\s+(?:meant|said|asked\sfor|wanted)|it\s?(?:is|'s|should\sbe|was\ssupposed\sto\sbe))"
        r"\s+(?P<good>[^,.;!?—]{1,60})"
        r"(?:,?\s+(?:and\s+)?(?:not|rather\sthan|instead\sof)\s+(?P<bad>[^,.;!?—]{1,60}))?"
    ),
    forget=pattern(
        r"(?:please\s+|can you\s+|could you\s+|you can\s+)?(?:(?:forget|stop remembering|do(?:n't| not)"
        r" (?:remember|store|keep|save))\s+"
        r"(?:about\s+)?(?:that|what\sI\s(?:said|told\syou)\sabout|everything\s(?:(?:you\s(?:know|have|"
        r"remember|stored)|I(?:'ve|\shave)?\s(?:said|told\syou))\s)?about|(?=my|our|the|everything|"
        r"all))\s*(?P<topic>(?!it\b|to\b|how\b).{2,100})"
        r"|(?:delete|remove|erase|wipe|clear)\s+(?P<topic2>(?:my|our|everything)\s.{0,40}\b(?:phone|"
        r"address|email|birthday|name|number|"
        r"allergy|preferences?|data|info|information|profile|memory|memories|about me)\b.{0,40}))"
    ),
    forget_everything=pattern(
        r"^(?:(?:everything|all)(?:\s+(?!about\b)\w+){0,6}(?:\s+about\s+(?:me|us))?$|(?:about )?(?:me|us)$|"
        r"my (?:data|profile|memories|information|info)$)"
    ),
    verbs=VERBS,
    acting=pattern(
        r"(?:^|\b(?:I'm|I am|I'll|I will|I've|I have|I|we're|let me|going to|now)\s+|[.!,:]\s+|\bso\s+)"
        r"(?:(?:just|now|also|already|go ahead and)\s+)?"
        r"(?P<verb>[A-Za-z]{3,20})\s+(?P<item>[^.!?\n]{0,120})"
    ),
    asking=pattern(
        r"(?:^|\b(?:can you|could you|please|help me|help me to|I need you to|I want you to|to|let's)"
        r"\s+|[.!,:]\s+|\bhow (?:do|can|should) I\s+)"
        r"(?P<verb>[A-Za-z]{3,20})\s+(?P<item>[^.!?\n]{0,120})"
    ),
    when_clause=pattern(
        r"\b(?P<when>(?:before|after|when|whenever|while|during)\s+(?!that\b|it\b|this\b)[^,.;!?]{3,60})"
    ),
    item_end=pattern(
        r"\s+(?:to|into|in|on|at|for|from|with|by|of|as|so|and|or|but|that|which|who|because|directly|using|via|until|"
        r"against|without|after|before|please|instead|again|now|about|without|over|under|through|is|"
        r"are|it)\b|[,.;:!?(—–`\"…]"
    ),
    determiners=pattern(r"^(?:the|a|an|my|our|your|this|that|these|those|some|any|new|another|all|me|us|both)\s+"),
    pronouns=pattern(
        r"^(?:it|them|him|her|me|us|you|they|this|that|these|those|everything|anything|nothing|something|one|ones)\b"
    ),
    context=pattern(
        r"^\w+\s+(?P<context>(?:[A-Za-z-]+\s+){1,3}?)(?:to|into|in|on|at|for|from|with|by|against|as|directly)\s"
    ),
    toward=pattern(r"\b(?:to|into|against|onto)\s+$"),
    categories={
        "region": "region",
        "url": "URL",
        "email": "email address",
        "path": "path",
        "file": "file",
        "version": "version",
        "branch": "branch",
        "table": "table",
        "column": "column",
        "database": "database",
        "bucket": "bucket",
        "service": "service",
        "cluster": "cluster",
        "port": "port",
        "time": "time",
        "date": "date",
        "day": "date",
        "format": "format",
        "date format": "date format",
        "currency": "currency",
        "amount": "amount",
        "quantity": "quantity",
        "unit": "unit",
        "language": "language",
        "tone": "tone",
        "package manager": "package manager",
        "test runner": "test runner",
        "formatter": "formatter",
        "editor": "editor",
        "tool": "tool",
        "framework": "framework",
        "programming language": "programming language",
        "ci system": "CI system",
        "airline": "airline",
        "hotel": "hotel",
        "customer": "customer",
        "identifier": "name",
        "name": "name",
        "place": "place",
        "queue": "queue",
        "function": "function",
        "variable": "variable",
        "message broker": "message broker",
        "environment": "environment",
        "cloud": "cloud provider",
        "timezone": "time zone",
        "account": "account",
        "channel": "channel",
        "model": "model",
    },
    category_tasks={
        "package manager": "installing packages",
        "test runner": "running tests",
        "branch": "pushing changes",
        "formatter": "formatting code",
        "database": "using a database",
        "region": "choosing a region",
        "currency": "stating an amount",
        "unit": "giving a quantity",
        "date format": "writing a date",
        "date": "setting a date",
        "time": "setting a time",
        "path": "writing files",
        "file": "changing a file",
    },
    nouns={
        "region": "region",
        "branch": "branch",
        "table": "table",
        "column": "column",
        "field": "column",
        "database": "database",
        "schema": "database",
        "bucket": "bucket",
        "service": "service",
        "cluster": "cluster",
        "port": "port",
        "file": "file",
        "folder": "path",
        "directory": "path",
        "currency": "currency",
        "flight": "airline",
        "flights": "airline",
        "airline": "airline",
        "hotel": "hotel",
        "customer": "customer",
        "client": "customer",
        "queue": "queue",
        "function": "function",
        "variable": "variable",
        "environment": "environment",
        "time": "time",
        "timezone": "timezone",
        "version": "version",
        "account": "account",
        "channel": "channel",
        "model": "model",
        "push": "branch",
        "merge": "branch",
        "pull": "branch",
        "rebase": "branch",
        "format": "format",
        "tool": "tool",
    },
    generic=entries(
        "production staging test new old main web monthly weekly daily nightly sales failing customer user "
        "pull code "
        "release database data unit integration invoice expense status travel meeting load mobile "
        "api error log train "
        "hotel flight dinner birthday"
    ),
    durations=(
        (
            pattern(r"\b(?:today|tonight|this (?:morning|afternoon|evening)|tomorrow|right now|at the moment)\b"),
            "one_day",
        ),
        (
            pattern(
                r"\b(?:this week|for now|these days|next week|until (?:mon|tues|wednes|thurs|fri|satur|"
                r"sun)day|this weekend)\b"
            ),
            "one_week",
        ),
        (pattern(r"\b(?:this month|for a few weeks|next month|temporarily|for the time being)\b"), "one_month"),
        (pattern(r"\b(?:this quarter|this (?:summer|winter|spring|autumn|fall)|next quarter)\b"), "one_quarter"),
        (pattern(r"\b(?:this year|next year)\b"), "one_year"),
    ),
    attributes=(
        (
            "residence",
            pattern(r"^(?:\w+\s+){0,2}?(?:lives?|living|moved|relocated|resides?|(?:is|am|'m) based)\s+(?:in|to|at)\b"),
        ),
        (
            "employer",
            pattern(r"^(?:\w+\s+){0,2}?(?:works?|working|joined)\s+(?:at|for)\b|\bemployer\b|^(?:left|quit)\b"),
        ),
        ("name", pattern(r"^(?:my |full |first |last |passport )*name is\b")),
        ("nickname", pattern(r"^(?:wants to be |call|calls me|goes by)")),
        ("birthday", pattern(r"\bbirthday\b")),
        ("timezone", pattern(r"\btime ?zone\b")),
        ("age", pattern(r"\b\d{1,3} years? old\b")),
        ("phone", pattern(r"\b(?:phone|mobile|cell)(?: number)?\b")),
        ("address", pattern(r"\b(?:home |postal |shipping |street )?address\b(?<!email address)")),
        ("email", pattern(r"\be-?mail(?: address)? is\b")),
        (
            "job",
            pattern(
                r"\b(?:job|title|role|position|profession) is\b|^(?:is|i'm|i am)\s+(?:now\s+)"
                r"?an?\s+(?:\w+\s+){0,3}\w*(?:er|or|ist|ian|ant|nurse|chef|head|lead|architect|analyst|"
                r"cto|ceo)\b"
            ),
        ),
        ("car", pattern(r"^(?:\w+\s+){0,2}?drives?\b")),
        ("size", pattern(r"^(?:\w+\s+){0,2}?wears?\s+(?:an?\s+|size\s+)?(?:x*s|small|medium|large|x*l|\d+)\b")),
        ("studies", pattern(r"^(?:\w+\s+){0,2}?stud(?:y|ies)\b")),
        (
            "sentiment",
            pattern(
                r"^(?:\w+\s+){0,3}?(?:prefers?|loves?|likes?|hates?|dislikes?|enjoys?|adores?|avoids?|"
                r"cannot stand|can't stand)\b"
            ),
        ),
    ),
    current=pattern(r"\b(?:now|these days|nowadays|switched|instead)\b"),
    negation=pattern(
        r"\b(?:not|no longer|never|don't|doesn't|cannot|can't|hates?|dislikes?|avoids?|stopped|quit|"
        r"left|any ?more|without)\b"
    ),
    functional=entries(
        "name title budget limit deadline size region branch version currency timezone zone language "
        "format port price salary "
        "address phone email birthday email favourite favorite default preferred editor unit "
        "capacity quota plan role rate "
        "hostname endpoint owner headcount team"
    ),
    copula=pattern(r"\s(?:is|are|has|runs?(?: in| on)?)\s"),
    using=pattern(r"\b(?:uses?|using|runs?|switched to|moved to|changed to|migrated to)\b"),
    purpose=pattern(r"\b(?:for|as)\s+(?P<purpose>(?:our\s|the\s)?[\w -]{2,40})$"),
    time_words=entries("now any mor longer curr today really i me we my"),
    contrast=pattern(r",?\s+(?:instead\sof|rather\sthan|and\snot|not)\s+"),
    phrases=Phrases(
        value="{context} {category} is {good}",
        value_alone="Preferred {category} is {good}",
        rejected_once=" (not {bad})",
        rejected=" (never {bad})",
        before="Before {task}",
        when="When {task}",
        answering="answering the user",
        acting="acting on the request",
        confirm="Confirm the {category} with the user's constraints before {task}",
        avoid="Avoid {body}",
        instead="{body}, instead of {other}",
        details="details",
        target="target {category}",
        asked="When the user asks about {topic}",
        cover="Cover what an expert would add: {body}",
        corrected="The user corrected the agent on this.",
        preferred="The user asked for this as a lasting preference.",
        expert="An expert's answer went further than the agent's.",
    ),
)
