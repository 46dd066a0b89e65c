/** Splits what was entered into a field that holds several texts. */

/** One on each line, or separated by spaces or commas. */
export function textsOf(entered: string): readonly string[] {
  return entered.split(/[\s,]+/).filter((text) => text !== '')
}
