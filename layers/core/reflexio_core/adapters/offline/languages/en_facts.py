"""Facts as people state them in English: what counts as one, what only looks like one, how it is written down."""

from reflexio_core.adapters.offline.languages.family import FAMILY
from reflexio_core.adapters.offline.languages.lexicon import pattern, words

ADVERBS = words(
    "now also really usually always never mostly mainly still currently only just generally typically often rarely "
    "normally regularly sometimes no_longer recently absolutely strongly personally definitely almost_always much"
)
_HABITS = words(
    "prefer love like hate dislike enjoy adore avoid use live work study speak drive own eat drink cook play take fly "
    "travel run deploy host ship bill invoice write read sleep follow support sell manage lead teach practice practise "
    "wear smoke buy order pay keep store meet sit stay commute cycle walk swim train reside raise trade grow bake "
    "attend rent earn weigh jog ski surf paint sing dance climb hike run lift fast pray meditate "
    "volunteer freelance commute tutor "
    "favor favour target publish release review collect specialise specialize require allow log answer report_to"
)
_PAST = words(
    "moved relocated switched joined quit retired graduated married adopted stopped started changed "
    "migrated founded sold "
    "left bought standardised standardized settled"
)
_STATES = words(
    "allergic intolerant vegan vegetarian pescatarian diabetic celiac coeliac pregnant married single divorced retired "
    "widowed left-handed right-handed colorblind colourblind color-blind colour-blind deaf blind dyslexic autistic "
    "asthmatic based from born bilingual fluent lactose gluten muslim jewish hindu buddhist catholic kosher sober "
    "self-employed unemployed freelance engaged"
)
_FAMILY_WORDS = words(" ".join(FAMILY))
_PERSONS = words(
    "colleague colleagues coworker coworkers co-worker boss manager friend friends neighbor neighbour client clients "
    "customer customers teacher roommate flatmate landlord teammate supervisor intern assistant cousin uncle aunt "
    "doctor lawyer accountant ex buddy mate"
)
FACTS = (
    pattern(rf"(?:I|we)(?:'ve| have)?\s+(?:(?:{ADVERBS})\s+){{0,3}}(?:{_HABITS})\b(?!')\s*\S"),
    pattern(
        rf"(?:I|we)\s+(?:(?:{ADVERBS})\s+){{0,2}}(?:do not|don't|can't|cannot|can not|won't|"
        rf"didn't)\s+(?:\w+ly\s+)?(?:{_HABITS}|stand|have|want|do)\b\s*\S"
    ),
    pattern(
        r"(?:I|we)\s+(?:can't|cannot|can not)\s+(?:eat|drink|run|walk|swim|drive|fly|stand|hear|"
        r"lift|climb|tolerate|digest|swallow|kneel|stay)\b"
    ),
    pattern(
        r"(?:I|we)\s+(?!(?:think|guess|mean|know|see|hope|wish|believe|suppose|feel|wonder|"
        r"understand|agree|remember|forget|"
        r"say|tell|ask|try|get|got|was|were|will|could|would|should|might|may|just|thought|found|"
        r"saw|heard|tried)\b)\w+\s"
        r".{0,80}\b(?:every\s(?:day|week|morning|evening|night|month|year|\w+day)|on\s\w+days?|"
        r"at\snight|a\slot|twice|once\sa)\b"
    ),
    pattern(r"(?:I|we)(?:'d| would)\s+(?:much\s+)?(?:rather|prefer|love|like)\s+\S"),
    pattern(rf"(?:I|we)(?:'ve| have)?\s+(?:just\s+|recently\s+|finally\s+)?(?:{_PAST})\b\s*\S"),
    pattern(r"(?:I|we)\s+used to\s+\w+.{0,120}\bnow\b"),
    pattern(
        rf"(?:I|we)(?:'m| am|'re| are)\s+(?:(?:{ADVERBS})\s+){{0,2}}(?:not\s+)?(?:an?\s+\w|"
        rf"the\s+\w|severely\s|strictly\s|{_STATES}|\d{{1,3}}\s+years?\sold|in\s+(?-i:[A-ZÀ-Þ])|"
        rf"working\s(?:as|at|for|with|on|in)|living|learning|studying|using|moving|turning|"
        rf"on\s(?:a|the)\s)"
    ),
    pattern(
        rf"(?:I|we)(?:'ve|\s+(?:(?:{ADVERBS})\s+)?have)\s+(?:(?:{ADVERBS})\s+)?(?:got\s+)"
        rf"?(?:an?\s|no\s|\d|two|three|four|five|six|seven|eight|nine|ten|asthma|diabetes|been\s)"
    ),
    pattern(r"(?:I|we)\s+(?:(?:always|never)\s+)(?:want|need|have|\w+)\s+\S"),
    pattern(
        r"(?:I|we)\s+only\s+(?!(?:want|need|have|had|was|were|wish|mean|meant|said|say|got|get|see|saw|know|knew|think|"
        r"thought|ask|tried|did|just|told|can|could)\b)\w+(?<!ed)\s+\S"
    ),
    pattern(r"I wanted\s+\S[^,]{2,60},?\s+(?:not|instead of|rather than)\s+\S"),
    pattern(
        r"(?:my|our)\s+(?:(?!(?:and|she|he|they|who|says?|said|told|thinks?|wants?|but)\b)"
        r"[\w'’./&-]+\s){1,6}?(?:is|are|has|have|runs?|uses?|lives?|prefers?|sits|starts?|ends?|"
        r"expires?|supports?|requires?|loves?|likes?|hates?|works?|needs?|goes|follows?|must|"
        r"should|stays?|opens?|closes?)\s+\S"
    ),
    pattern(r"(?:I'm|I am)\s+(?:dr\.?\s)?(?-i:[A-ZÀ-Þ])[\w'’-]+(?:\s(?-i:[A-ZÀ-Þ])[\w'’-]+){0,3}$"),
    pattern(r"(?:you can |everyone |everybody )?calls? me\s+\S"),
)
NOT_FACTS = pattern(
    r"(?:I|we)\b.{0,20}\b(?:like|love|hate|enjoy|prefer|adore|dislike|use|take|want|follow|need|"
    r"keep|run|read|write|order|buy|have)\s+(?:it|this|that(?!\syou\b)|them|these|those|you|your|how|the "
    r"(?:idea|sound|way|first|second|answer|joke))\b"
    r"|(?:I|we)(?:'d| would)\s+(?:like|love)\s+(?:to|you|a|an|the|some|it)\b"
    r"|(?:I|we)(?:'m| am|'re| are)\s+(?:\w+\s+)?(?:an?|the)\s+(?:bit|little|lot|fool|idiot|genius|mess|one|only)\b"
    r"|(?:I|we)(?:'ve| have)\s+(?:\w+\s+)?(?:got\s+)?(?:an?|no|\d+|two|some)\s+(?:\w+\s+)"
    r"?(?:question|questions|problem|problems|issue|issues|error|errors|idea|ideas|clue|feeling|"
    r"request|bug|bugs|look|doubt|doubts|minute|moment|favor|favour|task|tasks|meeting|call)\b"
    r"|(?:I|we)\s+(?:always|never)\s+(?:knew|know|thought|said|mind|heard|seen|saw|wondered|asked|meant|got|get)\b"
    r"|(?:my|our)\s+(?:\w+\s+){0,3}(?:question|problem|issue|point|guess|bad|mistake|error|build|"
    r"apologies|thoughts?|goal|idea|turn|screen|order|package|parcel|request|last message)\s"
    r"|(?:my|our)\s.{0,60}?\b(?:is|are|has|have)\s+(?:(?:just|still|now|not|all|so|very|too|been|"
    r"already)\s+){0,2}(?:broken|failing|failed|down|late|slow|wrong|missing|ready|stuck|gone|lost|"
    r"crash\w*|hang\w*|cancelled|canceled|delayed|arriv\w+|running out|not working|done|fine|good|"
    r"ok|okay|here|killing|full)\b"
    r"|(?:I|we)\s+(?:just\s+)?(?:started|stopped|left|changed|bought|sold|switched)\s+(?:it|the|"
    r"this|that|looking|thinking|reading)\b"
    r"|(?:I|we)\s+(?:work|live|run|walk|drive|fly|follow|read|sit)\s+(?:it|this|that|away|into|through)\b"
    r"|(?:I|we)\s+(?:can't|cannot|don't)\s+(?:use|run|take|want|have|keep|follow|read|play|log|do|"
    r"answer|support|allow|store|write)\s+(?:it|this|that|the|to|any|a)\b"
)
OTHERS = pattern(
    rf"(?:(?:my|our|the|her|his|their)\s+(?:\w+\s+){{0,2}}(?:(?:{_PERSONS})s?|\w+-in-law)"
    rf"\b(?!\s+(?:\w+\s+)?(?:is\s+called|name|number|portal|service)|\s(?:is|"
    rf"are)\s(?-i:[A-ZÀ-Þ])[\w'’-]+(?:\s(?-i:[A-ZÀ-Þ])[\w'’-]+){{0,3}}$)"
    rf"|(?:he|she|they|his|her|their|someone|somebody|people|some people|most people|everyone)\b"
    rf"|(?:my|our)\s+(?:{_FAMILY_WORDS})'s\s+\w+\s+(?:loves?|likes?|prefers?))"
)
RENDERING = (
    (pattern(r"^(?:I|we)(?:'d| would)\s+(?:much\s+)?rather\s+(?=\w)"), "Prefers to "),
    (pattern(r"^(?:I|we)(?:'d| would)\s+(?:much\s+)?(prefer|love|like)\s+"), r"\1+s "),
    (pattern(r"^(?:I|we)(?:'ve| have)\s+been\s+"), "Has been "),
    (pattern(rf"^(?:I|we)(?:'ve| have)\s+((?:(?:{ADVERBS})\s+)?)(?=(?:{_PAST})\b)"), r"\1"),
    (pattern(rf"^(?:I|we)(?:'ve|\s+(?:(?:{ADVERBS})\s+)?have)\s+(?:got\s+)?"), "Has "),
    (pattern(r"^I wanted\s+"), "Wants "),
    (pattern(r"^(?:I'm|I am|we're|we are)\s+"), "Is "),
    (pattern(r"^(?:I|we)\s+((?:\w+\s+){0,2})(?:do not|don't)\s+"), r"\1does not "),
    (pattern(r"^(?:I|we)\s+((?:\w+\s+){0,2})(?:can't|cannot|can not)\s+"), r"\1cannot "),
    (pattern(r"^(?:I|we)\s+(used to\s+\w+.{0,80}?)(?:,?\s*(?:but\s+)?now\s+(?:I|we)\s+)(\w+)"), r"Now \2+s"),
    (pattern(rf"^(?:I|we)\s+((?:(?:{ADVERBS})\s+)*)((?:{_PAST})|won't|didn't|must|should)\b"), r"\1\2"),
    (pattern(rf"^(?:I|we)\s+((?:(?:{ADVERBS})\s+)*)(\w+)"), r"\1\2+s"),
    (pattern(r"^(?:my|our)\s+"), ""),
    (pattern(r"^(?:you can |everyone |everybody )?calls?\s+me\s+"), "Wants to be called "),
    (pattern(r"\b(?:my|our)\s+(?=own\b)"), "their "),
)
