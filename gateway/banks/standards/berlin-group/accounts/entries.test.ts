/** Tests that all entries are read once, with any paging of a bank, and with backpressure. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomCases } from '../../../../../setup/random-cases.ts'
import type { EntriesQuery } from '../../../connector/bank-account.ts'
import { BankError, BankUnreachable } from '../../../connector/bank-error.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import type { AnswerDeviation, BankRequest, BankResponse } from '../../../connector/connector-dependencies.ts'
import { connectorTools } from '../../../testing/connector-tools.ts'
import { sampleBank, sampleCaller } from '../../../testing/samples.ts'
import { berlinGroup } from '../connector.ts'

const DAYS = { from: Temporal.PlainDate.from('2026-11-01'), to: Temporal.PlainDate.from('2026-11-21') }
const PAGE_ADDRESS = 'https://xs2a.fjordbanken.example/psd2/v1/accounts/r1/transactions'
const DOWNLOAD = '/psd2/v1/accounts/r1/transactions/download/7'
const AMOUNT = { transactionAmount: { currency: 'NOK', amount: '-10.00' } }

type Answer = Partial<BankResponse> & { readonly json?: unknown; readonly parts?: AsyncIterable<Uint8Array> }
type Script = (request: BankRequest, call: number) => Answer

describe('entries', () => {
  test('are the same, each once and in order, whatever the pages, links and chunks of the response', async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 12 })
    const links = fc.array(fc.constantFrom('absolute', 'host', 'page'), { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(
        sizes,
        links,
        fc.integer({ min: 1, max: 60 }),
        fc.boolean(),
        async (pages, kinds, cut, isLoad) => {
          const all = Array.from({ length: pages.reduce((sum, size) => sum + size, 0) }, (_, at) => `t${at}`)
          const { read } = bank((request) => {
            expect([new URL(PAGE_ADDRESS).pathname, DOWNLOAD]).toContain(new URL(request.url).pathname)
            const page = Number(new URL(request.url).searchParams.get('page') ?? 0)
            if (isLoad && page === 0 && !request.url.includes('download')) {
              return { json: { _links: { download: { href: DOWNLOAD } } } }
            }
            const from = pages.slice(0, page).reduce((sum, size) => sum + size, 0)
            const booked = all
              .slice(from, from + (pages[page] ?? 0))
              .map((transactionId) => ({ ...AMOUNT, transactionId }))
            const next = page + 1 < pages.length ? { next: { href: linkTo(kinds[page % kinds.length], page + 1) } } : {}
            return { parts: inParts(JSON.stringify({ transactions: { booked, _links: next } }), cut) }
          })
          expect((await read()).map(({ transactionId }) => transactionId)).toEqual(all)
        },
      ),
      { numRuns: randomCases(400) },
    )
  })

  test('that move to the next page because others are booked meanwhile are returned once, by their ids', async () => {
    const dated = (transactionId: string) => ({ ...AMOUNT, transactionId, bookingDate: '2026-11-10' })
    const pages = [
      ['t5', 't4', 't3'],
      ['t4', 't3', 't2'],
      ['t2', 't1'],
    ].map((ids) => ids.map(dated))
    const paged = (of: (page: number) => readonly object[]) =>
      bank((_request, call) => ({ json: page([], call < pages.length ? `?page=${call}` : undefined, of(call - 1)) }))
    const entries = await paged((number) => pages[number] ?? []).read({ which: 'both' })
    expect(entries.map(({ transactionId }) => transactionId)).toEqual(['t5', 't4', 't3', 't2', 't1'])
    expect(await paged((number) => pages[number] ?? []).booked()).toHaveLength(5)
    const unnamed = await paged((number) => (pages[number] ?? []).map(() => AMOUNT)).read()
    expect(unnamed).toHaveLength(8)
    const changed = await paged((number) => [{ ...dated('shared'), creditorName: `Company ${number}` }]).read()
    expect(changed).toHaveLength(3)
    const twins = await bank(() => ({ json: page(['t1', 't1']) })).read()
    expect(twins, 'on one page').toHaveLength(2)
  })

  test('are requested page by page, as the reader reads', async () => {
    const { requested, begin } = bank((_request, call) => ({
      json: page([`t${call}`], call < 50 ? `?page=${call}` : undefined),
    }))
    for await (const entries of begin()) {
      expect(entries).toHaveLength(1)
      if (requested.length === 3) {
        break
      }
    }
    expect(requested).toHaveLength(3)
  })

  test('of an endless response are read as they arrive, and no longer once the reader stops', async () => {
    let isLeft = false
    const endless = (async function* () {
      try {
        yield Buffer.from('{"transactions":{"booked":[')
        for (let entry = 0; ; entry += 1) {
          yield Buffer.from(`${entry === 0 ? '' : ','}${JSON.stringify({ ...AMOUNT, transactionId: `t${entry}` })}`)
        }
      } finally {
        isLeft = true
      }
    })()
    for await (const entries of bank(() => ({ parts: endless })).begin()) {
      expect(entries).toHaveLength(500)
      break
    }
    expect(isLeft).toBe(true)
  })

  test('that are cut off by the connection are rejected, after returning what arrived before', async () => {
    const torn = (async function* () {
      const entries = Array.from({ length: 500 }, (_, at) => JSON.stringify({ ...AMOUNT, transactionId: `t${at}` }))
      yield Buffer.from(`{"transactions":{"booked":[${entries.join(',')},{"transac`)
      throw new BankUnreachable('The bank gave no whole answer', true)
    })()
    let given = 0
    const reading = async () => {
      for await (const entries of bank(() => ({ parts: torn })).begin()) {
        given += entries.length
      }
    }
    await expect(reading()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(given).toBe(500)
  })

  test.each([
    ['is cut off', '{"transactions":{"booked":[{'],
    ['is XML', '<Document/>'],
    ['has neither entries nor a link to them', '{"account":{"bban":"80501100017"}}'],
    ['has a list in another shape', '{"transactions":{"booked":{"1":{}},"pending":[]}}'],
    ['has a link to its next page that is none', '{"transactions":{"booked":[],"_links":{"next":7}}}'],
    ['has a list of links', '{"transactions":{"booked":[],"_links":[{"rel":"next","href":"?page=2"}]}}'],
    ['has a text instead of links', '{"transactions":{"booked":[]},"_links":"?page=2"}'],
  ])('of a response that %s are rejected, so that no part of the list is missing', async (_how, body) => {
    await expect(bank(() => ({ body })).read()).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test.each([
    ['no object', 7, 'booked[]'],
    ['without an amount', { transactionId: 't1' }, 'booked[].transactionAmount'],
    ['with an amount that is none', { ...AMOUNT, transactionAmount: { currency: 'NOK', amount: '1,5' } }, 'amount'],
    ['with too many decimals', { ...AMOUNT, transactionAmount: { currency: 'NOK', amount: '1.001' } }, 'amount'],
  ])('that are damaged (%s) cost themselves, not the list, and are reported', async (_how, damaged, path) => {
    const sound = { ...AMOUNT, transactionId: 'sound' }
    const { read, deviations } = bank(() => ({ json: { transactions: { booked: [damaged, sound] } } }))
    expect(await read()).toMatchObject([{ transactionId: 'sound' }])
    expect(deviations).toMatchObject([{ path: expect.stringContaining(path), effect: 'dropped' }])
    const alone = bank((_request, call) => ({ json: page([], call === 1 ? '?page=2' : undefined, [Object(damaged)]) }))
    await expect(alone.read({ which: 'both' })).rejects.toMatchObject({ name: 'UnreadableAnswerError' })
    expect(alone.requested).toHaveLength(2)
  })

  test.each([
    [429, 'ACCESS_EXCEEDED', 'too-many-reads'],
    [400, 'PERIOD_INVALID', 'period-rejected'],
    [401, 'CONSENT_EXPIRED', 'consent-invalid'],
    [400, 'CONSENT_UNKNOWN', 'consent-invalid'],
    [404, 'RESOURCE_UNKNOWN', 'account-unknown'],
    [403, 'RESOURCE_EXPIRED', 'account-unknown'],
    [503, 'SERVICE_UNAVAILABLE', 'unavailable'],
  ])('that the bank answers with %i %s are %s, on any page', async (status, code, kind) => {
    const body = JSON.stringify({ tppMessages: [{ category: 'ERROR', code }] })
    await expect(bank(() => ({ status, body })).read()).rejects.toMatchObject({ kind })
    const later: Script = (_request, call) => (call === 1 ? { json: page(['t1'], '?page=2') } : { status, body })
    await expect(bank(later).read()).rejects.toMatchObject({ kind })
  })

  test('are none where the bank returns an empty response', async () => {
    expect(await bank(() => ({ status: 204, body: '' })).read({ which: 'both' })).toEqual([])
    const later: Script = (_request, call) =>
      call === 1 ? { json: page(['t1'], '?page=2') } : { status: 204, body: '' }
    await expect(bank(later).read()).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test.each(['.', '..', ''])('of an account that its bank calls %j are not requested', async (resourceId) => {
    const { read, requested } = bank(() => ({ json: page(['t1']) }))
    await expect(read({ resourceId })).rejects.toMatchObject({ kind: 'request-rejected' })
    expect(requested).toEqual([])
  })

  test('that are large are returned before there are many', async () => {
    const text = 'x'.repeat(60_000)
    const large = Array.from({ length: 20 }, (_, at) => ({ ...AMOUNT, transactionId: `t${at}`, creditorName: text }))
    const body = JSON.stringify({ transactions: { booked: large } })
    const given: number[] = []
    for await (const entries of bank(() => ({ parts: inParts(body, 64 * 1_024) })).begin()) {
      given.push(entries.length)
    }
    expect(given.reduce((sum, count) => sum + count, 0)).toBe(20)
    expect(Math.max(...given)).toBeLessThanOrEqual(6)
  })

  test('that were read too often may be read again when the bank says so', async () => {
    const answer = (after: string) => ({ status: 429, headers: { 'retry-after': after }, body: '' })
    const rejections = ['3600', '999999', 'Sat, 21 Nov 2026 12:00:00 GMT'].map((after) =>
      bank(() => answer(after)).read(),
    )
    const reported = await Promise.all(rejections.map((rejection) => rejection.catch((error: unknown) => error)))
    expect(reported.map((error) => error instanceof BankError && error.laterCalls.retryAfterSeconds)).toEqual([
      3600,
      86_400,
      null,
    ])
  })

  // The last is the host of the bank's pages for users: tokens and our certificate are never sent there.
  test.each([
    'https://evil.example/v1/accounts',
    'http://xs2a.fjordbanken.example/psd2',
    '//evil.example/',
    'https://sign.fjordbanken.example/psd2/v1/accounts/r1/transactions?page=2',
  ])('are not requested at %s', async (href) => {
    await expect(bank(() => ({ json: page(['t1'], href) })).read()).rejects.toMatchObject({ kind: 'misconfigured' })
    const download = { json: { _links: { download: { href } } } }
    await expect(bank(() => download).read()).rejects.toMatchObject({ kind: 'misconfigured' })
  })
})

describe('a downloadable report', () => {
  test('is awaited until it is ready, as long as the bank says', async () => {
    const waiting = [
      { status: 202, headers: { 'retry-after': '7' } },
      { status: 202 },
      { status: 404 },
      { status: 202, headers: { 'retry-after': '9000' } },
    ]
    const { read, requested, waits } = bank((_request, call) =>
      call === 1
        ? { json: { _links: { download: { href: DOWNLOAD } } } }
        : (waiting[call - 2] ?? { json: page(['t1', 't2']) }),
    )
    expect(await read()).toHaveLength(2)
    expect(waits).toEqual([7_000, 2_000, 2_000, 30_000])
    expect(requested.at(-1)).toMatchObject({
      url: `https://xs2a.fjordbanken.example${DOWNLOAD}`,
      headers: { 'consent-id': 'consent-1' },
    })
  })

  test('that is never ready is given up', async () => {
    const { read, requested } = bank((_request, call) =>
      call === 1 ? { json: { _links: { download: { href: DOWNLOAD } } } } : { status: 202 },
    )
    await expect(read()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(requested).toHaveLength(31)
  })

  test('that the bank reports as missing is not awaited', async () => {
    const body = JSON.stringify({ tppMessages: [{ category: 'ERROR', code: 'RESOURCE_UNKNOWN' }] })
    const { read, requested } = bank((_request, call) =>
      call === 1 ? { json: { _links: { download: { href: DOWNLOAD } } } } : { status: 404, body },
    )
    await expect(read()).rejects.toMatchObject({ kind: 'account-unknown' })
    expect(requested).toHaveLength(2)
  })

  test('has no links where they are an empty list', async () => {
    const { read } = bank(() => ({ json: { transactions: { booked: [AMOUNT], _links: [] }, _links: [] } }))
    expect(await read()).toHaveLength(1)
  })

  test('is not requested where the response has a list', async () => {
    const list = { ...page(['t1']), _links: { download: { href: DOWNLOAD } } }
    const { read, requested } = bank(() => ({ json: list }))
    expect(await read()).toHaveLength(1)
    expect(requested).toHaveLength(1)
  })
})

describe('pending entries', () => {
  const pending = [{ ...AMOUNT, transactionId: 't1' }, { ...AMOUNT, transactionId: 't2' }, AMOUNT, AMOUNT]
  const booked = [{ ...AMOUNT, transactionId: 't1', bookingDate: '2026-11-03' }]

  test.each([
    ['before', { pending, booked }],
    ['behind', { booked, pending }],
  ])('come last, and not where they are booked as well, listed %s those', async (_where, transactions) => {
    const entries = await bank(() => ({ json: { transactions } })).read({ which: 'both' })
    expect(entries.map(({ transactionId, status }) => [transactionId, status])).toEqual([
      ['t1', 'booked'],
      ['t2', 'pending'],
      [null, 'pending'],
      [null, 'pending'],
    ])
  })

  test('that are repeated on each page are returned once', async () => {
    const { read } = bank((_request, call) => ({
      json: {
        transactions: {
          pending: pending.slice(0, 2),
          booked,
          _links: call < 3 ? { next: { href: `?page=${call}` } } : {},
        },
      },
    }))
    expect((await read({ which: 'pending' })).map(({ transactionId }) => transactionId)).toEqual(['t1', 't2'])
  })

  describe('at a bank without a stable reference', () => {
    const rent = { ...AMOUNT, endToEndId: 'rent' }
    const expected = (transactionId: string, valueDate: string) => ({ ...rent, transactionId, valueDate })
    const paid = (transactionId: string, bookingDate: string) => ({ ...rent, transactionId, bookingDate })
    const readBoth = async (transactions: object, pages = 1) => {
      const { read } = bank(
        (_request, call) => ({
          json: { transactions: { ...transactions, _links: call < pages ? { next: { href: `?page=${call}` } } : {} } },
        }),
        { lastingId: 'endToEndId' },
      )
      return (await read({ which: 'both' })).map(({ transactionId }) => transactionId)
    }

    test.each([
      ['of the month before', '2026-11-02', ['b1', 'p1']],
      ['of the same day', '2026-11-20', ['b1']],
      ['of a later day', '2026-11-21', ['b1']],
    ])('are reduced by the number of equal booked ones: an equal booked one %s', async (_when, bookedOn, ids) => {
      const [pending, booked] = [[expected('p1', '2026-11-20')], [paid('b1', bookedOn)]]
      expect(await readBoth({ pending, booked })).toEqual(ids)
      expect(await readBoth({ booked, pending })).toEqual(ids)
    })

    test('are all returned, although equal, and although repeated on each page', async () => {
      const pending = [expected('p1', '2026-11-20'), expected('p2', '2026-11-20')]
      expect(await readBoth({ pending }, 3)).toEqual(['p1', 'p2'])
    })

    test('are matched one by one with booked ones, the oldest first', async () => {
      const pending = [expected('p1', '2026-11-20'), expected('p2', '2026-11-18'), expected('p3', '2026-11-19')]
      expect(await readBoth({ pending, booked: [paid('b1', '2026-11-21')] })).toEqual(['b1', 'p1', 'p3'])
      const two = [paid('b1', '2026-11-21'), paid('b2', '2026-11-18')]
      expect(await readBoth({ pending, booked: two })).toEqual(['b1', 'b2', 'p1'])
    })

    test('may be booked before the expected day, if the value date stays', async () => {
      const booked = [{ ...paid('b1', '2026-11-19'), valueDate: '2026-11-20' }]
      expect(await readBoth({ booked, pending: [expected('p1', '2026-11-20')] })).toEqual(['b1'])
    })
  })

  test('are requested before booked ones where the bank lists them separately, so that none is missed in between', async () => {
    const { read, requested } = bank(
      (request) => ({ json: { transactions: request.url.includes('=pending') ? { pending } : { booked } } }),
      { kind: 'apart' },
    )
    expect(await read({ which: 'both' })).toHaveLength(4)
    expect(requested.map(({ url }) => new URL(url).searchParams.get('bookingStatus'))).toEqual(['pending', 'booked'])
  })

  test('are not requested at a bank that has none', async () => {
    const { read, requested } = bank(() => ({ json: { transactions: { booked } } }), { kind: 'none' })
    expect(await read({ which: 'both' })).toHaveLength(1)
    expect(await read({ which: 'pending' })).toEqual([])
    expect(requested.map(({ url }) => url)).toEqual([
      `${PAGE_ADDRESS}?bookingStatus=booked&dateFrom=2026-11-01&dateTo=2026-11-21`,
    ])
  })

  test('are not buffered without a limit', async () => {
    const many = Array.from({ length: 10_001 }, (_, at) => ({ ...AMOUNT, transactionId: `t${at}` }))
    await expect(
      bank(() => ({ json: { transactions: { pending: many } } })).read({ which: 'pending' }),
    ).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

function linkTo(kind: string | undefined, page: number): string {
  const base = { absolute: PAGE_ADDRESS, host: new URL(PAGE_ADDRESS).pathname }[kind ?? ''] ?? ''
  return `${base}?page=${page}`
}

function page(ids: readonly string[], next?: string, more: readonly object[] = []) {
  const booked = [...ids.map((transactionId) => ({ ...AMOUNT, transactionId })), ...more]
  return { transactions: { booked, _links: next === undefined ? {} : { next: { href: next } } } }
}

async function* inParts(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += size) {
    yield bytes.subarray(from, from + size)
  }
}

/** A bank that responds as scripted, in chunks where there are several. */
function bank(
  script: Script,
  {
    kind = 'together',
    lastingId = 'transactionId',
  }: { kind?: 'together' | 'apart' | 'none'; lastingId?: 'transactionId' | 'endToEndId' } = {},
) {
  const requested: BankRequest[] = []
  const waits: number[] = []
  const deviations: AnswerDeviation[] = []
  const { profile, ...sample } = sampleBank()
  const dialect = Object.assign({}, profile.dialect, {
    entries: { pending: kind === 'none' ? 'together' : kind, lastingId },
  })
  const changed = { ...profile, entries: { details: true, pending: kind !== 'none' }, dialect }
  const caller: BankCaller = sampleCaller({ bank: { ...sample, profile: changed } })
  const tools = connectorTools({
    fetch: () => expect.fail('Entries are read while they come'),
    stream: async (_bank, request) => {
      requested.push(request)
      const {
        json,
        status = 200,
        headers = {},
        body = JSON.stringify(json ?? ''),
        parts,
      } = script(request, requested.length)
      return { status, headers, body, parts: parts ?? inParts(body, 1_000_000) }
    },
    observeDeviations: (_answer, found) => deviations.push(...found),
    wait: async (milliseconds) => {
      waits.push(milliseconds)
    },
  })
  const { accounts } = berlinGroup(tools)
  const product = accounts ?? expect.fail('The connector offers no accounts')
  const begin = (which: EntriesQuery['which'] = 'booked', resourceId = 'r1') =>
    product.entries(caller, resourceId, { days: DAYS, which })
  return {
    requested,
    waits,
    deviations,
    begin,
    booked: () => product.bookedEntries(caller, 'r1', DAYS),
    read: async ({ which, resourceId }: { which?: EntriesQuery['which']; resourceId?: string } = {}) =>
      (await Array.fromAsync(begin(which, resourceId))).flat(),
  }
}
