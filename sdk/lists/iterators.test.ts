/** Tests iteration: pages are followed with the caller's filters, and entries are returned while they arrive. */
import fc from 'fast-check'
import { afterEach, describe, expect, it, test } from 'vitest'
import { createHavnClient } from '../index.ts'
import { type Script, type ScriptedGateway, scriptedGateway } from '../scripted-gateway.ts'
import { ArraySplitter } from './array-elements.ts'

const consentId = '01a207a2-3280-7a4c-9123-b1612dd272d1'
let service: ScriptedGateway | undefined

afterEach(async () => {
  await service?.close()
  service = undefined
})

async function client(script: Script) {
  service = await scriptedGateway(script)
  return createHavnClient({
    baseUrl: service.url,
    clientId: 'demo-partner',
    clientSecret: 'demo-partner-secret',
    environment: 'sandbox',
    maxRetries: 0,
  })
}

async function all<Element>(elements: AsyncIterable<Element>): Promise<Element[]> {
  const found: Element[] = []
  for await (const element of elements) {
    found.push(element)
  }
  return found
}

const urls = () => service?.requests.map(({ url }) => url)

describe('pages', () => {
  it('are followed by their cursor with the same query, one request per page', async () => {
    const havn = await client(({ url }) => {
      const cursor = new URL(url, 'http://x').searchParams.get('cursor')
      const pages: Record<string, object> = {
        first: { payments: [{ paymentId: 'a' }, { paymentId: 'b' }], nextCursor: 'c1' },
        c1: { payments: [], nextCursor: 'c2' },
        c2: { payments: [{ paymentId: 'c' }], nextCursor: null },
      }
      return { status: 200, body: pages[cursor ?? 'first'] }
    })
    const query = { status: 'Unsigned', limit: 2 } as const
    expect(await all(havn.iteratePayments({ query }))).toEqual([
      { paymentId: 'a' },
      { paymentId: 'b' },
      { paymentId: 'c' },
    ])
    const path = '/api/v2/payments?status=Unsigned&limit=2'
    expect(urls()).toEqual([path, `${path}&cursor=c1`, `${path}&cursor=c2`])
  })

  it('are not requested beyond what is read', async () => {
    const havn = await client(() => ({ status: 200, body: { payrolls: [{ payrollId: 'a' }], nextCursor: 'more' } }))
    for await (const { payrollId } of havn.iteratePayrolls()) {
      expect(payrollId).toBe('a')
      break
    }
    expect(urls()).toHaveLength(1)
  })

  it('of events end where there are no more, and report that some were missed', async () => {
    let missed = 0
    const havn = await client(({ url }) => {
      const after = new URL(url, 'http://x').searchParams.get('after') ?? '0'
      const events = after === '0' ? [{ id: 'e1' }] : []
      return { status: 200, body: { events, nextAfter: '1', missed: after === '0' } }
    })
    const events = havn.iterateWebhookEvents({ query: { family: 'CONSENT' } }, () => {
      missed += 1
    })
    expect(await all(events)).toEqual([{ id: 'e1' }])
    expect(missed).toBe(1)
    expect(urls()).toEqual(['/api/webhooks/events?family=CONSENT', '/api/webhooks/events?family=CONSENT&after=1'])
  })

  it('of the request log are followed with their filters', async () => {
    const havn = await client(({ url }) => {
      const isFirst = !url.includes('cursor=')
      return { status: 200, body: { requests: [{ path: url }], nextCursor: isFirst ? 'c1' : null } }
    })
    const found = await all(havn.iterateRequests({ query: { status: 'errors' } }))
    const path = '/api/requests?status=errors'
    expect(found.map((request) => request.path)).toEqual([path, `${path}&cursor=c1`])
  })

  it('that fail end the iteration with the error', async () => {
    const havn = await client(() => ({ status: 404, body: { message: 'The subscription does not exist' } }))
    await expect(all(havn.iterateWebhookDeliveries({ params: { id: 'x' } }))).rejects.toMatchObject({
      name: 'HavnNotFoundError',
      operation: 'listWebhookDeliveries',
    })
  })
})

describe('account entries', () => {
  const call = { consentId, params: { accountId: 'a' }, query: { fromDate: '2026-11-01', toDate: '2026-11-30' } }

  it('are returned one by one', async () => {
    const havn = await client(() => ({
      status: 200,
      body: { accountEntries: [{ transactionId: '1' }, { transactionId: '2' }] },
    }))
    expect(await all(havn.iterateAccountEntries(call))).toEqual([{ transactionId: '1' }, { transactionId: '2' }])
    expect(await all(havn.iterateExtendedAccountEntries(call))).toHaveLength(2)
  })

  it('of a response that ends early are an error, after those that arrived', async () => {
    const havn = await client(() => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"accountEntries":[{"transactionId":"1"},{"transac',
    }))
    const found: string[] = []
    const reading = (async () => {
      for await (const { transactionId } of havn.iterateAccountEntries(call)) {
        found.push(transactionId)
      }
    })()
    await expect(reading).rejects.toMatchObject({ name: 'HavnConnectionError', operation: 'listAccountEntries' })
    expect(found).toEqual(['1'])
  })
})

test('a document is split into the same elements wherever its parts are cut', () => {
  const value = fc.jsonValue({ maxDepth: 3 })
  const elements = fc.array(fc.dictionary(fc.string(), value))
  fc.assert(
    fc.property(elements, value, value, fc.integer({ min: 1, max: 9 }), (entries, before, after, size) => {
      const text = JSON.stringify(
        { before, accountEntries: entries, after: { accountEntries: [after] } },
        null,
        size % 3,
      )
      const splitter = new ArraySplitter('accountEntries')
      const found = (text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? []).flatMap((part) => splitter.push(part))
      expect(found).toEqual(JSON.parse(JSON.stringify(entries)))
      expect(splitter.isComplete).toBe(true)
    }),
    { numRuns: 60 },
  )
})
