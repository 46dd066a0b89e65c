/** Reads an id that an operator typed. */
import { isId } from '../../gateway/platform/ids.ts'

/** As it is stored. Throws unless it has the form of an id: `what` it should be, and the command that prints such ids. */
export function typedId(text: string, what: string, printedBy: string): string {
  const id = text.trim()
  if (!isId(id)) {
    throw new Error(`${text} is not ${what}; ${printedBy} prints the ids`)
  }
  return id.toLowerCase()
}
