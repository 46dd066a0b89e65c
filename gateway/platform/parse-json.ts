/** Parses external JSON and works around the pinned V8's error with escaped member names. */

/** No member name that is ever read contains a character that JSON requires to be escaped. */
const ESCAPED_ONLY = /["\\\p{Cc}]/gu
const REPLACEMENT = '\ufffd'

/** Returns what `JSON.parse` does, except for names: see `unescapeMemberNames`. */
export function parseJson(text: string): unknown {
  return JSON.parse(unescapeMemberNames(text))
}

/** Undefined for what is no JSON; `revive` is that of `JSON.parse`. */
export function parseOptionalJson(text: string, revive?: (name: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(unescapeMemberNames(text), revive)
  } catch {
    return undefined
  }
}

/**
 * The same JSON without escapes in names of members. Once it has parsed a name with a backslash in it, V8 confuses
 * escaped names of later texts with that one (https://github.com/nodejs/node/issues/63785). A character that can only
 * be written with an escape, and a lone surrogate, becomes U+FFFD: so no object gets a name that could trigger this.
 */
export function unescapeMemberNames(text: string): string {
  const pieces: string[] = []
  let copied = 0
  let backslash = text.indexOf('\\')
  for (let open = text.indexOf('"'); open !== -1 && backslash !== -1; ) {
    let end = text.indexOf('"', open + 1)
    const isEscaped = backslash < end
    while (backslash !== -1 && backslash < end) {
      // An escaped quote does not end a string.
      const next = backslash + 2
      backslash = text.indexOf('\\', next)
      end = end < next ? text.indexOf('"', next) : end
    }
    if (isEscaped && end !== -1 && isNameBefore(text, end + 1)) {
      pieces.push(text.slice(copied, open), unescapedName(text.slice(open, end + 1)))
      copied = end + 1
    }
    open = end === -1 ? -1 : text.indexOf('"', end + 1)
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied)
}

function isNameBefore(text: string, end: number): boolean {
  let at = end
  while (' \t\n\r'.includes(text.charAt(at)) && at < text.length) {
    at += 1
  }
  return text.charAt(at) === ':'
}

/** The name without escapes. An invalid literal is returned unchanged: `JSON.parse` rejects the text. */
function unescapedName(literal: string): string {
  try {
    return `"${String(JSON.parse(literal)).replace(ESCAPED_ONLY, REPLACEMENT).toWellFormed()}"`
  } catch {
    return literal
  }
}
