"""Words for the people and animals of a household: what is true of them is a fact about the user."""

from reflexio_core.adapters.offline.languages.lexicon import entries

FAMILY = entries(
    "daughter son kid child baby wife husband partner spouse fiancé fiancée girlfriend boyfriend mother "
    "mom mum father dad "
    "parents sister brother grandmother grandfather grandma grandpa dog cat puppy twins "
    "hija hijo mujer marido esposa esposo pareja novia novio madre padre hermana hermano perro "
    "gata gato abuela abuelo bebé "
    "女儿 儿子 孩子 宝宝 妻子 老婆 丈夫 老公 太太 妈妈 母亲 爸爸 父亲 爷爷 奶奶 姐姐 哥哥 弟弟 妹妹 家人"
)
