/** Tests that entries are returned while they are read, and that an incomplete list never looks complete. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AccountEntryList } from '../../contract/account-entries.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, MAIN_ACCOUNT } from '../testing/payments/sample-payments.ts'

/** At fifty on a page; some megabytes, more than the kernel holds for both ends of a connection. */
const ENTRIES = 20_000
const DAYS = 200
const PAGE = 50
/** A hundred entries a day: some pages. */
const FEW_DAYS = 3

let gateway: TestGateway
let bank: SandboxBankControl
let headers: Record<string, string>
let accountId: string
let today: Temporal.PlainDate
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
  const consented = await acceptedConsent(gateway)
  headers = await validHeaders(gateway, consented.consentId)
  const { accounts } = await gateway.client.listAccounts(consented)
  accountId = accounts.find(({ bban }) => bban === MAIN_ACCOUNT)?.id ?? ''
  await bank.postControl(`/accounts/${MAIN_ACCOUNT}/entries/generate`, { count: ENTRIES, days: DAYS })
  today = gateway.context.clock.today('Europe/Oslo')
}, 120_000)
afterAll(() => gateway.close())
afterEach(() => bank.clearFaults())

const path = (days: number, behind = '') =>
  `/api/v2/accounts/${accountId}/entries${behind}?fromDate=${today.subtract({ days: days - 1 })}&toDate=${today}`
const pagesRead = () => gateway.logLines().filter((line) => line.includes('"operation":"getTransactions"')).length
const loseFrom = (page: number) => bank.injectFault({ operation: 'getTransactions', effect: 'drop-connection', page })

/** A raw request, to see what is sent over the network. */
async function request(where: string, version: '1.0' | '1.1' = '1.1', accept = 'application/json'): Promise<Socket> {
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const fields = Object.entries({ ...headers, host: hostname, accept }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET ${where} HTTP/${version}\r\n${fields.join('')}\r\n`)
  return socket
}

async function readAll(socket: Socket): Promise<{ text: string; error: string | undefined }> {
  let text = ''
  socket.on('data', (part) => {
    text += part.toString()
  })
  const error = await new Promise<string | undefined>((resolve) => {
    socket.on('error', (reason: NodeJS.ErrnoException) => resolve(reason.code))
    socket.on('end', () => resolve(undefined))
  })
  return { text, error }
}

/**
 * The answers to requests of lists that have begun, no more of which is read. Retried until none is rejected: the
 * gateway may notice only now that the readers of another test have gone.
 */
async function openLists(count: number): Promise<Socket[]> {
  return await eventually(async () => {
    const sockets = await Promise.all(Array.from({ length: count }, () => request(path(DAYS))))
    const starts = await Promise.all(
      sockets.map(async (socket) => {
        const [start] = await once(socket, 'data')
        socket.pause()
        return `${start}`.split('\r\n')[0]
      }),
    )
    if (starts.some((start) => start !== 'HTTP/1.1 200 OK')) {
      destroyAll(sockets)
    }
    expect(starts).toEqual(Array(count).fill('HTTP/1.1 200 OK'))
    return sockets
  })
}

function destroyAll(sockets: readonly Socket[]): void {
  for (const socket of sockets) {
    socket.destroy()
  }
}

/** The number of pages read when no more were read for a while. */
async function pagesWhenStill(): Promise<number> {
  let before = -1
  for (let still = 0; still < 30; ) {
    await fetch(`${gateway.url}/readyz`)
    const pages = pagesRead()
    still = pages === before ? still + 1 : 0
    before = pages
  }
  return before
}

describe('a list of many pages', () => {
  test('is returned completely, each entry once and in the bank’s order', async () => {
    const answer = await sendRawRequest(gateway, ['GET', path(FEW_DAYS)], { headers })
    const { accountEntries }: AccountEntryList = JSON.parse(JSON.stringify(answer.body))
    expect(accountEntries.length).toBeGreaterThan(3 * PAGE)
    expect(new Set(accountEntries.map(({ stableEntryId }) => stableEntryId)).size).toBe(accountEntries.length)
    const days = accountEntries.map(({ bookingDateTime = '' }) => bookingDateTime)
    expect(days).toEqual(days.toSorted().toReversed())
  })

  test.each([
    ['1.1', 'application/json', /\]\}\s*$/],
    ['1.0', 'application/json', /\]\}\s*$/],
    ['1.1', 'application/xml', /<\/Document>/],
    ['1.0', 'text/csv', /\r\n0\r\n/],
  ] as const)('that fails on its third page aborts the connection: HTTP/%s, %s', async (version, accept, end) => {
    await loseFrom(3)
    const { text, error } = await readAll(await request(path(FEW_DAYS), version, accept))
    expect(error).toBe('ECONNRESET')
    expect(text).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/)
    expect(text).not.toMatch(end)
    expect(gateway.logLines().at(-1)).toMatch(/aborted/)
  })

  test('that fails on its third page makes the client fail', async () => {
    await loseFrom(3)
    const response = await fetch(`${gateway.url}${path(FEW_DAYS)}`, { headers })
    await expect(response.json()).rejects.toThrow()
  })

  test.each(['', '/extended'])('that fails on its first page returns the usual error: %s', async (behind) => {
    await loseFrom(1)
    for (const accept of ['application/json', 'text/csv', 'application/xml']) {
      const rejected = await sendRawRequest(gateway, ['GET', path(FEW_DAYS, behind)], {
        headers: { ...headers, accept },
      })
      expect(rejected).toMatchObject({ status: 503, body: { message: expect.any(String) } })
    }
  })

  test('starts once the first page has arrived, and is not read on at the bank for a reader who has gone', async () => {
    const before = pagesRead()
    const socket = await request(path(DAYS))
    await once(socket, 'data')
    expect(pagesRead() - before).toBeLessThan(10)
    socket.destroy()
    expect((await pagesWhenStill()) - before).toBeLessThan(ENTRIES / PAGE / 2)
  }, 60_000)

  test('counts towards the four that a partner may read at once: the next is rejected for some seconds', async () => {
    const sockets = await openLists(4)
    const rejected = await sendRawRequest(gateway, ['GET', path(1)], { headers })
    destroyAll(sockets)
    expect(rejected.status).toBe(429)
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
    await eventually(async () => {
      expect(await sendRawRequest(gateway, ['GET', path(1)], { headers })).toMatchObject({ status: 200 })
    })
  }, 60_000)

  test('is not read for a HEAD, which would return nothing: 405', async () => {
    const rejected = await fetch(`${gateway.url}${path(DAYS)}`, { method: 'HEAD', headers })
    expect({ status: rejected.status, allow: rejected.headers.get('allow') }).toEqual({ status: 405, allow: 'GET' })
  })
})
