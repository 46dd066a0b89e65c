/** Tests the reader of long JSON: the result of `JSON.parse`, or an error, without blocking the event loop. */
import { setImmediate } from 'node:timers/promises'
import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { JsonLimitError } from './json-bytes.ts'
import { parseLongJson, streamJson } from './read-json.ts'

const readPiece = (text: string): unknown => JSON.parse(text)
const how = { readPiece, levelsMax: 64, valuesMax: 1_000_000 }
const read = (text: string, pieceBytes?: number) =>
  parseLongJson(Buffer.from(text), { ...how, ...(pieceBytes === undefined ? {} : { pieceBytes }) })

const RUNS = Number(process.env['HAVN_JSON_TEXTS'] ?? 50)
const TEST_MILLISECONDS = 90_000 + RUNS * 20

const texts = fc.oneof(fc.string(), fc.constantFrom('å"\\[{,', '}]', ':'))
const scalar = fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null), texts)
/** Chunk sizes: from so small that every token is split, up to so large that few are. */
const size = fc.constantFrom(0, 1, 5, 20, 100)
/**
 * Without escapes: V8 reads an escaped name as one with a backslash where it has seen such a one before
 * (https://github.com/nodejs/node/issues/63785), so that one text read twice may differ. No name of ours has one.
 */
const name = fc
  .oneof(fc.string(), fc.constantFrom('a', '1', '€'))
  .filter((one) => /^[^"\\]*$/.test(one) && one !== '__proto__')
const { container } = fc.letrec<{ container: object; value: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 5 }, scalar, tie('container')),
  container: fc.oneof(fc.array(tie('value'), { maxLength: 12 }), fc.dictionary(name, tie('value'), { maxKeys: 12 })),
}))
const indent = fc.constantFrom(undefined, 1, '\t', '\r\n ')

test('returns what JSON.parse returns, in the same order', { timeout: TEST_MILLISECONDS }, async () => {
  await fc.assert(
    fc.asyncProperty(container, indent, size, async (value, space, bytes) => {
      const text = JSON.stringify(value, undefined, space)
      expect(JSON.stringify(await read(text, bytes))).toBe(JSON.stringify(JSON.parse(text)))
    }),
    { numRuns: RUNS },
  )
})

test('returns what JSON.parse returns, or fails where that fails, for any chunks', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  const chunk = fc.integer({ min: 1, max: 40 })
  await fc.assert(
    fc.asyncProperty(container, indent, size, chunk, fc.nat({ max: 3 }), async (value, space, bytes, length, cut) => {
      const sound = Buffer.from(JSON.stringify(value, undefined, space))
      const text = sound.subarray(0, sound.length - cut)
      const expected = outcomeOf(() => JSON.parse(text.toString()))
      const actual = await readStream(text, length, bytes).catch(() => undefined)
      expect(JSON.stringify(actual)).toBe(expected)
    }),
    { numRuns: RUNS },
  )
})

test('fails where JSON.parse fails, or returns something else', { timeout: TEST_MILLISECONDS }, async () => {
  const damage = fc.record({
    at: fc.nat(),
    remove: fc.nat({ max: 2 }),
    put: fc.constantFrom('', ',', ']', '}', '[', '{', '"', ':', '0'),
  })
  await fc.assert(
    fc.asyncProperty(container, damage, size, async (value, { at, remove, put }, bytes) => {
      const sound = JSON.stringify(value)
      const place = at % (sound.length + 1)
      const text = sound.slice(0, place) + put + sound.slice(place + remove)
      const expected = outcomeOf(() => JSON.parse(text))
      const actual = await read(text, bytes).then(
        (found) => outcomeOf(() => found),
        () => undefined,
      )
      // Values other than containers are left to the reader of the whole document.
      expect(actual === undefined && !/^[[{]/.test(expected ?? '') ? expected : actual).toBe(expected)
    }),
    { numRuns: RUNS },
  )
})

async function readStream(text: Buffer, partBytes: number, pieceBytes: number): Promise<unknown> {
  const parts = (async function* () {
    for (let at = 0; at < text.length; at += partBytes) {
      yield text.subarray(at, at + partBytes)
    }
  })()
  const step = await streamJson(parts, { ...how, pieceBytes, lists: [], heldBytesMax: 1_000_000 }).next()
  return step.value
}

const LONG = `"${'x'.repeat(20_000)}"`
const LONG_OBJECT = `{"a":${LONG},"b":${LONG}}`

describe('a long text', () => {
  it.each([
    ['with an additional comma', `[${LONG},]`],
    ['with an additional comma after a long value', `[[${LONG_OBJECT}],]`],
    ['with a leading comma', `[,${LONG_OBJECT}]`],
    ['with two commas', `[${LONG_OBJECT},,${LONG_OBJECT}]`],
    ['with an additional comma in an object', `{"a":${LONG_OBJECT},}`],
    ['without a comma', `[${LONG_OBJECT}${LONG_OBJECT}]`],
    ['without a colon', `{"a"${LONG_OBJECT}}`],
    ['without a name', `{:${LONG_OBJECT}}`],
    ['with an unquoted name', `{a:${LONG_OBJECT}}`],
    ['that closes what it has not opened', `[${LONG_OBJECT}}`],
    ['that does not end', `{"a":${LONG_OBJECT}`],
    ['with trailing content', `${LONG_OBJECT} 1`],
    ['with a text that does not end', `{"a":"${'x'.repeat(70_000)}`],
  ])('%s is rejected', async (_what, text) => {
    expect(() => JSON.parse(text)).toThrow()
    await expect(read(text)).rejects.toThrow()
  })

  const MEGABYTES = 'x'.repeat(1_100_000)
  it.each([
    ['a text', `["${MEGABYTES}"]`],
    ['a number', `[${MEGABYTES.replaceAll('x', '1')}]`],
    ['white space', `{"a":${LONG_OBJECT}${MEGABYTES.replaceAll('x', ' ')}}`],
    ['very many fields', `{${Array.from({ length: 100_001 }, (_, n) => `"m${n}":0`).join(',')}}`],
    ['very many elements', `[${'0,'.repeat(1_000_001)}0]`],
    ['very many empty objects', `[[${LONG}],${'{},'.repeat(500_001)}0]`],
    ['very many values below many levels', `[${'[[[[0],[0]],[]]],'.repeat(150_000)}0]`],
    ['too many levels', `${'['.repeat(65)}${LONG}${']'.repeat(65)}`],
  ])('with %s that would block the event loop is rejected', async (_what, text) => {
    expect(() => JSON.parse(text)).not.toThrow()
    await expect(read(text)).rejects.toBeInstanceOf(JsonLimitError)
  })

  it('may have as many values as are allowed, and no more', async () => {
    const text = `[${LONG},{"a":[1,${LONG},{}]},{"b":{"c":2}}]`
    // The list itself, and an element for the empty object.
    const values = 11
    const reading = (valuesMax: number) => parseLongJson(Buffer.from(text), { ...how, pieceBytes: 5, valuesMax })
    expect(await reading(values)).toEqual(JSON.parse(text))
    await expect(reading(values - 1)).rejects.toBeInstanceOf(JsonLimitError)
  })

  it('may pass on any number of elements, each with few values', async () => {
    const parts = (async function* () {
      for (let part = 0; part < 100; part += 1) {
        yield Buffer.from(`${part === 0 ? '{"list":[0' : ''}${',[{},0]'.repeat(50)}${part === 99 ? ']}' : ''}`)
      }
    })()
    const options = { ...how, pieceBytes: 20, valuesMax: 20, lists: [['list']], heldBytesMax: 1_000 }
    let elements = 0
    for await (const run of streamJson(parts, options)) {
      elements += run.elements.length
    }
    expect(elements).toBe(5_001)
  })

  it('keeps the last of equal names, at the position of the first', async () => {
    const text = `{"a":1,"b":${LONG_OBJECT},"a":${LONG},"b":2}`
    expect(JSON.stringify(await read(text))).toBe(JSON.stringify(JSON.parse(text)))
  })

  it('has no other prototype for a name in it', async () => {
    const text = `{"__proto__":${LONG_OBJECT},"b":${LONG_OBJECT}}`
    const found = Object(await read(text))
    expect([Object.keys(found), Object.getPrototypeOf(found)]).toEqual([['__proto__', 'b'], Object.prototype])
  })

  it('yields to the event loop', async () => {
    const one = { name: 'Kari Nordmann', amount: '123.45', account: { bban: '12345678901', type: 'bban' } }
    const text = JSON.stringify({ transactions: Array.from({ length: 25_000 }, () => one) })
    let isRead = false
    let turns = 0
    const reading = read(text).finally(() => {
      isRead = true
    })
    while (!isRead) {
      await setImmediate()
      turns += 1
    }
    expect(JSON.stringify(await reading)).toBe(text)
    expect(turns).toBeGreaterThan(5)
  })
})

function outcomeOf(parse: () => unknown): string | undefined {
  try {
    return JSON.stringify(parse())
  } catch {
    return undefined
  }
}
