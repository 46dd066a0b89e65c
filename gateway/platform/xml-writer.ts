/** Writes XML 1.0: elements out of texts that may hold anything, and nothing for what is not there. */

/** What may not stand in XML 1.0, not even as a reference: control characters, halves of characters, two non-characters. */
const IMPOSSIBLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu
/** What has a meaning of its own, and the carriage return, which a parser would take for the end of a line. */
const MEANINGFUL = /[&<>"'\r]/g

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
}

/** An element around others; absent when there is nothing in it. */
export function element(name: string, content: string): string {
  return content === '' ? '' : `<${name}>${content}</${name}>`
}

/** An element with a text of so many characters at most; absent where there is none. */
export function textElement(name: string, text: string | null | undefined, charactersMax: number): string {
  return element(name, escaped(cut(text ?? '', charactersMax)))
}

/** A text as it stands in an element or an attribute. */
export function escaped(text: string): string {
  return text.replaceAll(IMPOSSIBLE, '\u{fffd}').replaceAll(MEANINGFUL, (character) => references[character] ?? '')
}

/** Characters beyond the first plane are one each, as the schema counts them. */
export function cut(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : [...text].slice(0, charactersMax).join('')
}
