/** Writes doc comments of generated TypeScript, wrapped at the line length of the project. */

const LINE_CHARACTERS_MAX = 120

/** A doc comment with one paragraph per text, indented; empty when there is no text. */
export function docComment(paragraphs: readonly (string | undefined)[], indent = ''): string {
  const texts = paragraphs.filter((text) => text !== undefined && text !== '').map((text) => escapeEnd(String(text)))
  if (texts.length === 0) {
    return ''
  }
  const [only = ''] = texts
  const single = `${indent}/** ${only} */\n`
  if (texts.length === 1 && single.length <= LINE_CHARACTERS_MAX + 1) {
    return single
  }
  const lines = texts.flatMap((text, at) => [...(at === 0 ? [] : ['']), ...wrap(text, indent)])
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`, ''].join('\n')
}

function wrap(text: string, indent: string): readonly string[] {
  const width = LINE_CHARACTERS_MAX - indent.length - ' * '.length
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length > width && line !== '') {
      lines.push(line)
      line = word
    } else {
      line = longer
    }
  }
  return [...lines, line]
}

/** A text cannot end the comment that it is in. */
function escapeEnd(text: string): string {
  return text.replaceAll('*/', '*\\/').trim()
}
