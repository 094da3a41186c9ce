/** The parts of a text between its spaces, by which lists of many names stay short. */
export type WordsIn<Text extends string, Found = never> = Text extends `${infer First} ${infer Rest}`
  ? WordsIn<Rest, Found | First>
  : Found | Text;
