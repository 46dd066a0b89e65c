/** Writes XML 1.0 elements with escaped texts; empty elements are omitted. */

/** Characters that XML 1.0 forbids even as references: control characters, lone surrogates, two non-characters. */
const IMPOSSIBLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu
/** Characters to escape: markup, and the carriage return, which a parser would normalise to a line feed. */
const MEANINGFUL = /[&<>"'\r]/g

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
}

/** An element with child elements; omitted when it is empty. */
export function xmlElement(name: string, content: string): string {
  return content === '' ? '' : `<${name}>${content}</${name}>`
}

/** An element with a text of at most so many characters; omitted without a text. */
export function xmlTextElement(name: string, text: string | null | undefined, charactersMax: number): string {
  return xmlElement(name, escapeXml(truncateCharacters(text ?? '', charactersMax)))
}

/** A text escaped for an element or an attribute. */
export function escapeXml(text: string): string {
  return text.replaceAll(IMPOSSIBLE, '\u{fffd}').replaceAll(MEANINGFUL, (character) => references[character] ?? '')
}

/** Characters beyond the first plane count as one each, as in XML Schema. */
export function truncateCharacters(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : [...text].slice(0, charactersMax).join('')
}
