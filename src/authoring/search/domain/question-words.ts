/**
 * Words with which people ask, beyond the stop words of the database: they say little about what is searched for. Without
 * accents.
 */
export const QUESTION_WORDS: ReadonlySet<string> = new Set(
  `many much often must need needs needed want wants able possible please tell explain mean means happen happens happened may might shall
  could would anybody anything somebody something someone everybody everything way exactly actually
  oft viel viele wieviel wieviele muss mussen brauche brauchen mochte mochten moglich bitte geht gibt bedeutet passiert soll sollte wieso weshalb warum
  faut peut peux puis dois doit devons veux veut possible pourquoi combien beaucoup souvent signifie arrive
  debo debe necesito necesita puedo puede quiero posible significa cuanto cuantos cuanta cuantas
  devo deve posso puo voglio possibile significa quanto quanti quanta quante quantos preciso quero possivel
  hoeveel moet moeten wil kan mogelijk waarom`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
