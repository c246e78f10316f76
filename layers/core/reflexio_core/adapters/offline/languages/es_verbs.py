"""Spanish verbs of an agent's tasks, every form mapped to the infinitive that names the task."""

_REGULAR = (
    "desplegar iniciar reiniciar migrar reservar preparar convertir instalar añadir agregar eliminar "
    "borrar crear subir "
    "fusionar publicar generar exportar importar traducir programar cancelar reembolsar actualizar "
    "renombrar mover copiar "
    "probar marcar configurar activar desactivar cobrar facturar enviar mandar responder contestar explicar describir "
    "revisar arreglar corregir cambiar abrir cerrar calcular buscar redactar planificar organizar archivar restaurar "
    "renovar descargar notificar asignar aprobar documentar limpiar escribir resumir usar utilizar "
    "comprar pedir ejecutar "
    "lanzar guardar mostrar poner hacer preguntar confirmar compilar formatear ordenar llamar dejar contar dar tomar "
    "emplear incluir adjuntar firmar imprimir mezclar"
)
_IRREGULAR = {
    "desplegar": "despliego despliega despliegas despliegues despliegue desplieguen",
    "traducir": "traduzco traduzca traduzcas traduzcan",
    "mover": "mueve muevas mueva",
    "probar": "pruebo prueba pruebes pruebe",
    "aprobar": "apruebo aprueba apruebes apruebe",
    "mostrar": "muestra muestres muestre",
    "cerrar": "cierro cierra cierres cierre",
    "corregir": "corrijo corrige corrijas corrija corrigiendo",
    "renovar": "renueva renueves renueve",
    "pedir": "pido pide pidas pida pidiendo",
    "hacer": "hago haz hace haga hagas hagan haciendo hecho",
    "poner": "pongo pon pone ponga pongas pongan puesto",
    "escribir": "escrito",
    "abrir": "abierto",
    "describir": "descrito",
    "imprimir": "impreso",
    "contar": "cuento cuenta cuentes cuente",
    "dar": "doy des dé dado",
    "incluir": "incluye incluyas incluya incluyendo incluyo",
    "convertir": "convierte conviertas convierta convirtiendo",
    "enviar": "envía envíes envíe envío",
}


def _forms(verb: str) -> list[str]:
    stem, ending = verb[:-2], verb[-2:]
    # The sound of the stem is kept before e and a: buscar -> busques, pagar -> pagues, organizar -> organices.
    soft = stem
    if ending == "ar":
        for hard, written in (("c", "qu"), ("g", "gu"), ("z", "c")):
            if stem.endswith(hard):
                soft = stem[: -len(hard)] + written
        forms = ["ando", "ado", "o", "a", "as", "amos", "an", "é", "ó"]
        return [verb, *(stem + form for form in forms), *(soft + form for form in ("es", "e", "en", "é", "emos"))]
    forms = ["iendo", "ido", "o", "e", "es", "en", "í", "ió", "a", "as", "an", "amos", "emos", "imos"]
    return [verb, *(stem + form for form in forms)]


VERBS: dict[str, str] = {form: verb for verb in _REGULAR.split() for form in _forms(verb)}
VERBS |= {form: name for name, forms in _IRREGULAR.items() for form in forms.split()}
