/** Guards the vocabulary: paths, exported names, metrics and log messages use the words of the field. */
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
})
