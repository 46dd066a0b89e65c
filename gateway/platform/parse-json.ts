/** Parses JSON that comes from outside, without the error of the pinned V8 in names of members that are escaped. */

/** Of what JSON demands to be escaped, no name that anybody reads holds anything. */
const ESCAPED_ONLY = /["\\\p{Cc}]/gu
const REPLACEMENT = '\ufffd'

/** What `JSON.parse` answers, but for names: see `withPlainNames`. */
export function parseJson(text: string): unknown {
  return JSON.parse(withPlainNames(text))
}

/**
 * The same JSON without escapes in names of members. Once it has read a name with a backslash in it, V8 takes escaped
 * names of later texts for that one (https://github.com/nodejs/node/issues/63785). A character that can only be written
 * with an escape, and a lone surrogate, becomes U+FFFD: so no object gets a name that could start this.
 */
export function withPlainNames(text: string): string {
  const pieces: string[] = []
  let copied = 0
  let backslash = text.indexOf('\\')
  for (let open = text.indexOf('"'); open !== -1 && backslash !== -1; ) {
    let end = text.indexOf('"', open + 1)
    const isEscaped = backslash < end
    while (backslash !== -1 && backslash < end) {
      // What follows a backslash ends no text.
      const next = backslash + 2
      backslash = text.indexOf('\\', next)
      end = end < next ? text.indexOf('"', next) : end
    }
    if (isEscaped && end !== -1 && isNameBefore(text, end + 1)) {
      pieces.push(text.slice(copied, open), plainName(text.slice(open, end + 1)))
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
function plainName(literal: string): string {
  const name = nameIn(literal)
  return name === undefined ? literal : `"${name.replace(ESCAPED_ONLY, REPLACEMENT).toWellFormed()}"`
}

function nameIn(literal: string): string | undefined {
  try {
    return String(JSON.parse(literal))
  } catch {
    return undefined
  }
}
