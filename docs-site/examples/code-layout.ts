/** Lays out a literal or a list of arguments in a program: on one line where it fits, or a line for each part. */

const LINE_CHARACTERS_MAX = 60

/** How a language writes it. */
export type Layout = {
  /** The opening and closing text on one line, with the spaces within. */
  readonly line: readonly [open: string, close: string]
  /** Those on lines of their own, each with the text between it and the parts. */
  readonly block: readonly [open: string, close: string]
  /** The indentation of the line in which it begins, and of its parts. */
  readonly indent: string
  readonly inner: string
}

/** The parts, which have the indentation `inner` where they have several lines. */
export function laidOut(parts: readonly string[], { line, block, indent, inner }: Layout): string {
  const text = `${line[0]}${parts.join(', ')}${line[1]}`
  return text.length + indent.length <= LINE_CHARACTERS_MAX && !text.includes('\n')
    ? text
    : `${block[0]}\n${parts.map((part) => `${inner}${part},`).join('\n')}\n${indent}${block[1]}`
}
