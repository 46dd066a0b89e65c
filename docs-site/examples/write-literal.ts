/** Writes values of the examples as literals of a programming language, on one line where they fit. */
import { type VariableName, variableOf } from './example-variables.ts'

const LINE_CHARACTERS_MAX = 60

/** What encloses the parts of a list or an object: on one line, with the spaces within, and on lines of their own. */
type Brackets = Readonly<Record<'line' | 'block', readonly [open: string, close: string]>>

/** How a language writes values. */
export type Language = {
  readonly indentation: string
  readonly list: Brackets
  readonly object: Brackets
  variable(name: VariableName): string
  /** A text, a number, a truth value or null. */
  plain(value: unknown): string
  member(name: string, text: string): string
}

/** The value of a field, within a line that has this indentation. */
export function writeLiteral(language: Language, value: unknown, indent = '', field = ''): string {
  const variable = variableOf(field, value)
  if (variable !== undefined) {
    return language.variable(variable)
  }
  if (typeof value !== 'object' || value === null) {
    return language.plain(value)
  }
  const inner = `${indent}${language.indentation}`
  const parts = Object.entries(value).map(([name, member]) => {
    const text = writeLiteral(language, member, inner, name)
    return Array.isArray(value) ? text : language.member(name, text)
  })
  return layOut(parts, Array.isArray(value) ? language.list : language.object, { indent, inner })
}

/** The parts within their brackets; those of several lines have the indentation `inner`. */
export function layOut(
  parts: readonly string[],
  { line, block }: Brackets,
  { indent, inner }: { readonly indent: string; readonly inner: string },
): string {
  const [open, close] = parts.length === 0 ? [line[0].trimEnd(), line[1].trimStart()] : line
  const text = `${open}${parts.join(', ')}${close}`
  return text.length + indent.length <= LINE_CHARACTERS_MAX && !text.includes('\n')
    ? text
    : `${block[0].replace('\n', `\n${indent}`)}\n${parts.map((part) => `${inner}${part},`).join('\n')}\n${indent}${block[1]}`
}
