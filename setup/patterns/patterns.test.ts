/** Guarantees that no regular expression of the source or the data takes more than linear time, whatever the text. */
import { beforeAll, expect, test } from 'vitest'
import { stepCounter } from './count-steps.ts'
import { type HostileText, hostileTexts } from './hostile-texts.ts'
import { readSourcePatterns } from './source-patterns.ts'

/** Steps grow by as much from the second to the third length as by twice what they grew before. */
const GROWTH_MAX = 1.4
const STEPS_MAX = 100_000
/** A repetition with a limit grows at first, and not any more in texts that are so many times as long. */
const LONGER = 8

/** The first text on which an expression takes more steps than linear time explains, and how it was searched. */
function slowTextOf(expression: RegExp): string | undefined {
  const count = stepCounter(expression)
  const isSlow = (textOf: HostileText, factor: number) => {
    const [short = 0, double = 0, long = 0] = [1, 2, 4].map((times) => count(textOf(times * factor), STEPS_MAX).steps)
    return long === STEPS_MAX || long - double > 2 * GROWTH_MAX * (double - short) + 40
  }
  return hostileTexts(expression)?.find((textOf) => isSlow(textOf, 1) && isSlow(textOf, LONGER))?.(1)
}

let patterns: Awaited<ReturnType<typeof readSourcePatterns>>
beforeAll(async () => {
  patterns = await readSourcePatterns()
})

test('every expression takes linear time', () => {
  expect(patterns.length).toBeGreaterThan(1_000)
  const slowTexts = new Map<string, string | undefined>()
  const slow = patterns.flatMap(({ place, expression }) => {
    const text = slowTexts.getOrInsertComputed(String(expression), () => slowTextOf(expression))
    return text === undefined ? [] : [`${place}: ${expression} on a text like ${JSON.stringify(text)}`]
  })
  expect(slow).toEqual([])
})

/** Comparing all texts would take as long as the search for slow ones. */
const TEXTS_PER_COMPARISON = 23

/** Each of a kind that takes more than linear time, some of them once ours. */
const SLOW = [
  /^(a+)+$/,
  /^(?:a|a)*b/,
  /\s+$/,
  /\/+$/,
  /x(?=.*y)/g,
  /^([\d\s.,]+?)(?:\s*[-–]\s*([\d\s.,]+))?$/,
  /^(-?)0*(\d+)(?:\.(\d+?)0*)?$/,
  /(most|max\w*|than) \d+ characters/i,
  /<style>[\s\S]*?<\/style>/,
  /^(.+?)[ ,]+([0-9]+ ?[A-Za-z]?)$/,
  /(https?:\/\/[^\s"]*\/)[A-Za-z0-9_-]{40,}/g,
  /\B(?=(\d{3})+$)/g,
  /(["'])(?:\\.|(?!\1).)*?,.*?\1x/s,
  /^(?:[a-z]+\.?)+@/u,
]

test('expressions that take more than linear time are found', () => {
  expect(SLOW.filter((expression) => slowTextOf(expression) === undefined)).toEqual([])
})

test('the engine that counts finds what the one of JavaScript finds', () => {
  const byText = new Map([...patterns.map(({ expression }) => expression), ...SLOW].map((each) => [String(each), each]))
  const different = [...byText.values()].flatMap((expression) => {
    const native = new RegExp(expression.source, expression.flags.replace('g', ''))
    const count = stepCounter(expression)
    const texts = (hostileTexts(expression) ?? []).map((textOf) => textOf(1))
    const isDifferent = (text: string) => count(text, STEPS_MAX).isFound !== native.test(text)
    return texts
      .filter((text, n) => n % TEXTS_PER_COMPARISON === 0 && isDifferent(text))
      .map((text) => `${expression} on ${JSON.stringify(text)}`)
  })
  expect(different).toEqual([])
})
