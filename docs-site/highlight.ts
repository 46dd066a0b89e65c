/** Colours code: escaped markup in which keys, texts, literals and comments are told apart. */
import { html } from 'ghtml'

export type CodeLanguage = 'json' | 'shell' | 'typescript'

/** What a token is, by the group of the pattern that found it; the names are classes of the style sheet. */
const KINDS = ['key', 'text', 'literal', 'remark', 'word'] as const

const PATTERNS: Readonly<Record<CodeLanguage, RegExp>> = {
  json: /("(?:[^"\\]|\\.)*"(?=\s*:))|("(?:[^"\\]|\\.)*")|(\btrue\b|\bfalse\b|\bnull\b|-?\b\d[\d.]*\b)|($.)|($.)/g,
  shell: /($.)|('[^']*'|"(?:[^"\\]|\\.)*")|($.)|(^#.*$)|(\bcurl\b|(?<=\s)-{1,2}[a-zA-Z-]+)/gm,
  typescript:
    /(\b[a-zA-Z_]\w*(?=:))|('(?:[^'\\]|\\.)*')|(\btrue\b|\bfalse\b|\bnull\b|\b\d[\d.]*\b)|(\/\/.*$)|(\bconst\b|\bawait\b)/gm,
}

/** The code as markup for a `pre`. */
export function highlight(code: string, language: CodeLanguage): string {
  const parts: string[] = []
  let end = 0
  for (const match of code.matchAll(PATTERNS[language])) {
    const kind = KINDS[match.slice(1).findIndex((group) => group !== undefined)] ?? 'text'
    const [token] = match
    // What curl sends is JSON inside a text of the shell.
    const within = token.startsWith("'{") ? `'${highlight(token.slice(1, -1), 'json')}'` : undefined
    parts.push(html`${code.slice(end, match.index)}!${within ?? html`<span class="${kind}">${token}</span>`}`)
    end = match.index + token.length
  }
  return [...parts, html`${code.slice(end)}`].join('')
}
