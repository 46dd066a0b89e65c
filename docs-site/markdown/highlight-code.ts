/** Highlights code with highlight.js: escaped HTML with spans whose classes the style sheet colours. */
import { createRequire } from 'node:module'
import { html } from 'ghtml'

/** What we use of highlight.js. Its own types would add those of the browser to every file of the project. */
type Highlighter = {
  registerLanguage(name: string, grammar: unknown): void
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { readonly value: string }
}

const require = createRequire(import.meta.url)
const highlighter: Highlighter = require('highlight.js/lib/core')

/** The grammars, by the names that code fences give them. */
const LANGUAGES = {
  sh: require('highlight.js/lib/languages/bash'),
  ts: require('highlight.js/lib/languages/typescript'),
  js: require('highlight.js/lib/languages/javascript'),
  json: require('highlight.js/lib/languages/json'),
  python: require('highlight.js/lib/languages/python'),
  csharp: require('highlight.js/lib/languages/csharp'),
} as const

/** A language that is highlighted. */
export type CodeLanguage = keyof typeof LANGUAGES

for (const [name, grammar] of Object.entries(LANGUAGES)) {
  highlighter.registerLanguage(name, grammar)
}

/** The body of a command: JSON in a here-document, which the grammar of the shell shows as one string. */
const HERE_DOCUMENT = /<<END(?:(?!<<END)[^\n])*\n((?:(?!<<END).)*?)\nEND$/gms

/** The code as HTML for a `pre` element; code of an unknown language is escaped. */
export function highlightCode(code: string, language: string | undefined): string {
  if (!isKnown(language)) {
    return html`${code}`
  }
  return language === 'sh' ? highlightCommand(code) : highlighted(code, language)
}

/** A block of code, with its language for copying and for readers. */
export function codeBlock(code: string, language: string | undefined): string {
  return html`<pre tabindex="0"><code class="${language === undefined ? 'text' : language}">!${highlightCode(code, language)}</code></pre>`
}

function highlightCommand(code: string): string {
  const parts: string[] = []
  let end = 0
  for (const { index, 0: all, 1: body = '' } of code.matchAll(HERE_DOCUMENT)) {
    const start = index + all.lastIndexOf(body)
    parts.push(highlighted(code.slice(end, start), 'sh'), highlighted(body, 'json'))
    end = start + body.length
  }
  return [...parts, highlighted(code.slice(end), 'sh')].join('')
}

function highlighted(code: string, language: CodeLanguage): string {
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value
}

function isKnown(language: string | undefined): language is CodeLanguage {
  return language !== undefined && Object.hasOwn(LANGUAGES, language)
}
