/** Lays out Python source as its formatter does: indentation, docstrings and exploded lists. */

export const LINE_CHARACTERS_MAX = 100
const INDENT = '    '
/** The comment that every generated file begins with. */
export const HEADER = '\n# Generated from docs/openapi.json by `npm run openapi`: do not edit.\n'

/** Indents every line that is not empty. */
export function indent(lines: readonly string[], depth = 1): readonly string[] {
  return lines.map((line) => (line === '' ? '' : `${INDENT.repeat(depth)}${line}`))
}

/** A docstring that is indented by `depth` later. */
export function docstring(text: string, depth: number, details: readonly string[] = []): readonly string[] {
  const width = LINE_CHARACTERS_MAX - depth * INDENT.length
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").trim()
  const [first = '', ...rest] = wrap(`"""${escaped}`, width)
  if (details.length === 0 && rest.length === 0) {
    return [endingSafely(`${first}"""`)]
  }
  return [first, ...rest, ...(details.length === 0 ? [] : ['', ...details]), '"""']
}

/** Lines of at most `width` characters; paragraphs stay apart, and later lines of an item are indented. */
export function wrap(text: string, width: number, hanging = ''): readonly string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines = ['']
    for (const word of paragraph.split(' ')) {
      const current = lines.at(-1) ?? ''
      const joined = current === '' ? word : current === hanging ? `${hanging}${word}` : `${current} ${word}`
      if (joined.length <= width || current.trim() === '') {
        lines[lines.length - 1] = joined
      } else {
        lines.push(`${hanging}${word}`)
      }
    }
    return lines
  })
}

/** `name = opening[` … `]`, one item on each line. */
export function exploded(opening: string, items: readonly string[], closing: string): readonly string[] {
  return [opening, ...indent(items.map((item) => `${item},`)), closing]
}

/** `name = value` as a statement at a depth; a value that makes the line too long is in parentheses. */
export function assignment(name: string, value: string, depth: number): readonly string[] {
  const line = `${name} = ${value}`
  return depth * INDENT.length + line.length <= LINE_CHARACTERS_MAX ? [line] : [`${name} = (`, ...indent([value]), ')']
}

/** `opening` … `closing` on one line where it fits, one item on each line otherwise. */
export function fitted(opening: string, items: readonly string[], closing: string): readonly string[] {
  const line = `${opening}${items.join(', ')}${closing}`
  return line.length <= LINE_CHARACTERS_MAX ? [line] : exploded(opening, items, closing)
}

/** A type alias for a union, with what else pydantic needs to know to read it. */
export function annotatedUnion(
  name: string,
  description: string | undefined,
  members: readonly string[],
  annotation: readonly string[],
): readonly string[] {
  return [
    `${name}: TypeAlias = Annotated[`,
    ...indent([...exploded('Union[', members, '],'), ...annotation]),
    ']',
    ...docstring(description ?? name, 0),
  ]
}

/** A Python string literal. */
export function literal(value: string): string {
  return JSON.stringify(value)
}

/** A quote at the end would close the docstring too early. */
function endingSafely(whole: string): string {
  return whole.endsWith('""""') ? `${whole.slice(0, -3)} """` : whole
}
