/** Guards the vocabulary: paths, exported names, metrics, log messages and public texts use the words of the field. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { readSourceFiles } from '../setup/source-files.ts'

/** Words that are not used in names, each with what to write instead. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  anew: 'again, new',
  asked: 'requested, request',
  beside: 'with, excluding',
  brought: 'callback',
  carry: 'resume, execute',
  deed: 'action',
  dossier: 'case file',
  doubt: 'outcome unknown',
  forget: 'delete, purge',
  forgotten: 'deleted, expired',
  hint: 'notification',
  intent: 'submission',
  judge: 'validate',
  judged: 'validated',
  keep: 'store, record',
  kept: 'stored',
  lane: 'delivery queue',
  lapse: 'expire',
  lapsed: 'expired',
  mishap: 'fault',
  nobody: 'name who it is',
  others: 'name who it is',
  overruled: 'replaced',
  payout: 'payroll transaction (of an FX deal: payout)',
  people: 'operators, users',
  refusal: 'error, rejection',
  refuse: 'reject',
  refused: 'rejected',
  room: 'module',
  said: 'reported',
  slice: 'chunk',
  somebody: 'name who it is',
  sought: 'match criteria',
  strike: 'inject fault',
  tell: 'notify, report',
  told: 'notified, reported',
  tour: 'scan',
  turns: 'concurrency limit',
  twin: 'duplicate',
  verdict: 'decision, result',
  whoever: 'name who it is',
  wish: 'request',
  world: 'fixture',
}

/** Names in which such a word is one of the field, each with the reason. */
const ALLOWED: readonly (readonly [RegExp, string])[] = [
  [/payout|PAYOUT|Payout/, 'what an FX provider pays out is a payout'],
]

/** Words that are not used in texts to partners, operators and users, each with what to write instead. */
const TEXT_REPLACEMENTS: Readonly<Record<string, string>> = {
  anew: 'again, new',
  anybody: 'name who it is',
  beside: 'with, excluding',
  brought: 'received',
  deed: 'action',
  dossier: 'case file',
  forget: 'delete',
  forgotten: 'deleted, lost',
  judge: 'validate',
  judged: 'validated',
  kept: 'stored, recorded',
  lapse: 'expire',
  lapsed: 'expired',
  mishap: 'fault',
  nobody: 'name who it is',
  overruled: 'replaced',
  refusal: 'error, rejection',
  refuse: 'reject, decline',
  refused: 'rejected, declined',
  said: 'reported',
  somebody: 'name who it is',
  sought: 'requested',
  told: 'notified, reported',
  twin: 'duplicate',
  verdict: 'decision, result',
  whoever: 'name who it is',
}

/** Words that comments and test titles do not use either, each with what to write instead. */
const COMMENT_REPLACEMENTS: Readonly<Record<string, string>> = {
  anew: 'again, new',
  dossier: 'case file',
  hint: 'inbound notification',
  hints: 'inbound notifications',
  lapse: 'expire',
  lapsed: 'expired',
  lapses: 'expires',
  mishap: 'fault',
  refusal: 'error, rejection',
  refusals: 'errors, rejections',
  refuse: 'reject',
  refused: 'rejected',
  refuses: 'rejects',
  withdrawal: 'cancellation',
  withdrawn: 'cancelled',
}

/** Words of plain prose that make comments and titles hard to read, each with what to write instead. */
const PROSE_REPLACEMENTS: Readonly<Record<string, string>> = {
  anybody: 'name who it is',
  beside: 'with, next to, relative to',
  besides: 'in addition to',
  brought: 'received, submitted',
  deed: 'action',
  everybody: 'name who it is',
  handed: 'submitted, passed',
  judge: 'validate',
  judged: 'validated',
  judges: 'validates',
  kept: 'stored, recorded',
  lane: 'delivery queue',
  lanes: 'delivery queues',
  nobody: 'name who it is, or use the passive',
  overruled: 'replaced',
  people: 'operators, users, persons',
  placed: 'submitted',
  said: 'reported',
  somebody: 'name who it is',
  sought: 'requested, match criteria',
  tell: 'notify, report, show',
  tells: 'notifies, reports, shows',
  told: 'notified, reported, shown',
  twin: 'duplicate',
  verdict: 'decision, result',
  want: 'require, request',
  wants: 'requires, requests',
  whoever: 'name who it is',
  whomever: 'name who it is',
}

/** The words of comments and titles, each list with the paths that are not checked for it. */
const COMMENT_RULES: readonly { readonly words: Readonly<Record<string, string>>; readonly except: RegExp }[] = [
  // `Refused` is a public status of webhook deliveries.
  { words: COMMENT_REPLACEMENTS, except: /^gateway\/vocabulary\.test\.ts$/ },
  { words: PROSE_REPLACEMENTS, except: /^gateway\/vocabulary\.test\.ts$/ },
]

/** Comments and titles in which such a word is right, each with the reason. */
const ALLOWED_COMMENTS: readonly (readonly [RegExp, string])[] = [
  [/^Amount 31250\.00 refused$/, 'the text of a bank'],
  [/^<!-- told to/, 'a document that is rendered'],
]

/** Texts in which such a word is right, each with the reason. */
const ALLOWED_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/supreme court judge/, 'the public office'],
  [/give it to nobody but those whom the law names/, 'a clause of the terms, which has a version of its own'],
  [/failed or refused|Refused: the URL|Failed` after .*`Refused`/, 'the status Refused of a delivery is a public code'],
]

/** Documents for partners and operators. The reference of the sandbox and its outcomes is generated by the sandbox. */
const DOCUMENTS = ['README.md', 'docs/operating.md', 'docs/settings.md', 'docs/webhooks.md', 'sdk/README.md']

const files = await readSourceFiles()
const sources = files.filter(({ isTest }) => !isTest)

/** The words of a name or a path, in lower case. */
function wordsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase())
}

/** What is wrong with a name, as `name: word → replacement`. */
function violationsOf(name: string): readonly string[] {
  const isAllowed = ALLOWED.some(([pattern]) => pattern.test(name))
  const words = isAllowed ? [] : wordsOf(name).filter((word) => Object.hasOwn(REPLACEMENTS, word))
  return words.map((word) => `${name}: ${word} → ${REPLACEMENTS[word]}`)
}

describe('the vocabulary', () => {
  it('finds a word of another language, and names the replacement', () => {
    expect(violationsOf('gateway/payments/keep-intent.ts')).toEqual([
      'gateway/payments/keep-intent.ts: keep → store, record',
      'gateway/payments/keep-intent.ts: intent → submission',
    ])
    expect(violationsOf('toldAgain')).toEqual(['toldAgain: told → notified, reported'])
    expect(violationsOf('submitOrder')).toEqual([])
    expect(textViolationsOf('Nobody has signed')).toEqual(['Nobody has signed: nobody → name who it is'])
    expect(textViolationsOf('The status `Refused` of a delivery')).toEqual([])
  })

  it('holds for paths', () => {
    expect(files.flatMap(({ path }) => violationsOf(path))).toEqual([])
  })

  it('holds for exported names', () => {
    const names = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:async )?(?:function|const|type|class) (\w+)/gm)].map(([, name = '']) => ({
        path,
        name,
      })),
    )
    expect(names.flatMap(({ path, name }) => violationsOf(name).map((violation) => `${path}: ${violation}`))).toEqual(
      [],
    )
  })

  it('holds for metrics', () => {
    const names = sources.flatMap(({ text }) => [...text.matchAll(/'(havn_[a-z_]+)'/g)].map(([, name = '']) => name))
    expect(names.length).toBeGreaterThan(10)
    expect(names.flatMap(violationsOf)).toEqual([])
  })

  it('holds for log messages', () => {
    const messages = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/\blog\.(?:debug|info|warn|error)\([^;]*?'([^'\n]{8,})'\s*,?\s*\)/g)].map(
        ([, message = '']) => `${path}: ${message}`,
      ),
    )
    expect(messages.length).toBeGreaterThan(50)
    const violations = messages.flatMap((message) => violationsOf(message.slice(message.indexOf(': '))))
    expect(violations).toEqual([])
  })

  it.each([...DOCUMENTS, 'docs/openapi.json', 'gateway/page-texts/en.json'])(
    'holds for the texts of %s',
    async (path) => {
      const text = await readFile(new URL(`../${path}`, import.meta.url), 'utf8')
      const texts = path.endsWith('.json') ? stringsIn(JSON.parse(text)) : textsOfDocument(text)
      expect(texts.length).toBeGreaterThan(20)
      expect(texts.flatMap(textViolationsOf)).toEqual([])
    },
  )

  it.each(['cli/', 'docs-site/'])('holds for the texts in %s', (folder) => {
    const texts = sources
      .filter(({ path }) => path.startsWith(folder))
      .flatMap(({ text }) => [...text.matchAll(/'([^'\n]{12,})'|`([^`]{12,})`/g)].map(([, a, b]) => a ?? b ?? ''))
    expect(texts.length).toBeGreaterThan(100)
    expect(texts.flatMap(textViolationsOf)).toEqual([])
  })
})

describe('comments and test titles', () => {
  it('use none of the replaced words', () => {
    const lines = files.flatMap(({ path, text }) => commentsAndTitlesIn(text).map((line) => ({ path, line })))
    const violations = COMMENT_RULES.flatMap(({ words, except }) =>
      lines
        .filter(({ path }) => !except.test(path))
        .flatMap(({ path, line }) => commentViolationsOf(line, words).map((found) => `${path}: ${found}: ${line}`)),
    )
    expect(violations).toEqual([])
  })

  it('are found, and code is not', () => {
    const text = [
      '/** Never refused. */',
      "call('refused')",
      "test('lapses', async () => {",
      '  // `refused` is code',
      'it(',
      "  'whatever has lapsed',",
      "it.each([['a refused row', 1]])",
    ].join('\n')
    const found = commentsAndTitlesIn(text).flatMap((line) => commentViolationsOf(line, COMMENT_REPLACEMENTS))
    expect(found).toEqual(['refused → rejected', 'lapses → expires', 'lapsed → expired', 'refused → rejected'])
  })
})

/** The lines of comments, the titles of tests, and the first text in each row of a table of cases. */
function commentsAndTitlesIn(text: string): readonly string[] {
  const comments = text.match(/^\s*(?:\/\*\*|\/\/|\* ).*$/gm) ?? []
  const titles = text.matchAll(/(?:\b(?:it|test|describe)(?:\.\w+)*|[\])])\(\s*(?:'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`)/g)
  const rows = text.matchAll(/\[\s*(?:'([^'\n]* [^'\n]*)'|"([^"\n]* [^"\n]*)"),/g)
  return [
    ...comments.map((line) => line.trim()),
    ...[...titles, ...rows].map(([, ...quoted]) => quoted.find((title) => title !== undefined) ?? ''),
  ]
}

/** The words of a comment or title that are to be replaced. */
function commentViolationsOf(line: string, words: Readonly<Record<string, string>>): readonly string[] {
  return ALLOWED_COMMENTS.some(([pattern]) => pattern.test(line)) ? [] : wordsIn(line, words)
}

/** Every text of a JSON value, except codes and other single words. */
function stringsIn(value: unknown): readonly string[] {
  return typeof value === 'string'
    ? [value].filter((text) => text.includes(' '))
    : Object.values(Object(value)).flatMap(stringsIn)
}

/** The paragraphs of a Markdown document, and the rows of its tables. */
function textsOfDocument(document: string): readonly string[] {
  return document.split(/\n\n|\n(?=\|)/)
}

/** What is wrong with a text, as `text: word → replacement`; code in back quotes is not text. */
function textViolationsOf(text: string): readonly string[] {
  const isAllowed = ALLOWED_TEXTS.some(([pattern]) => pattern.test(text))
  return isAllowed ? [] : wordsIn(text, TEXT_REPLACEMENTS).map((found) => `${text.trim()}: ${found}`)
}

/** The words of a text that are to be replaced, as `word → replacement`; code in back quotes is not text. */
function wordsIn(text: string, replacements: Readonly<Record<string, string>>): readonly string[] {
  const plain = text.replace(/`[^`]*`|\$\{[^}]*\}/g, '').toLowerCase()
  const words = (plain.match(/[a-z]+/g) ?? []).filter((word) => Object.hasOwn(replacements, word))
  return words.map((word) => `${word} → ${replacements[word]}`)
}
