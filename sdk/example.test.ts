/** Tests that the examples of the README are one program, and that it succeeds. */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { examplesByOperation } from '../contract/examples/examples-by-operation.ts'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import { type ScriptedGateway, scriptedGateway } from './scripted-gateway.ts'

const { paymentId, paymentStatus } = examplesByOperation.initiateDomesticPayment[0].answer
let service: ScriptedGateway
const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined)

beforeAll(async () => {
  service = await scriptedGateway(({ method, url, body }) => {
    if (body.includes('"-1250.00"')) {
      const error = { code: 'InvalidAmount', reason: 'must be above zero', path: '.amount.amount' }
      return { status: 422, body: [error] }
    }
    const entry = Object.values<Operation>(operations).find(
      ({ method: asked, path }) => asked === method && matches(path, url),
    )
    const examples = Object.entries(examplesByOperation).find(([id]) => id === entry?.id)?.[1]
    const { answer } = { answer: undefined, ...examples?.[0] }
    return { status: entry?.answer.status ?? 404, body: lastPage(answer) }
  })
  process.env['HAVN_URL'] = service.url
})

afterAll(async () => {
  delete process.env['HAVN_URL']
  printed.mockRestore()
  await service.close()
})

describe('the examples of the README', () => {
  it('are the program, block by block', () => {
    const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
    const blocks = [...read('README.md').matchAll(/```ts\n(.*?)```/gs)].map(([, block]) => block)
    const [, ...program] = read('example.ts').split('\n')
    expect(blocks.join('\n')).toBe(program.join('\n'))
  })

  it('pay an invoice, list errors, payments and entries, and verify deliveries', async () => {
    const { receiveDelivery } = await import('./example.ts')
    const lines = printed.mock.calls.map((words) => words.join(' '))
    expect(lines).toContain(`Payment ${paymentId} is ${examplesByOperation.getPaymentStatus[0].answer.status}`)
    expect(lines).toContain('.amount.amount: must be above zero (InvalidAmount)')
    const requests = service.requests.map(({ method, url }) => `${method} ${url.split('?')[0]}`)
    for (const path of ['/api/v2/payments', '/api/v2/payments/approve', '/api/sandbox/clock']) {
      expect(requests).toContain(`POST ${path}`)
    }
    expect(requests.filter((request) => request.startsWith('GET /api/v2/accounts/'))).toHaveLength(1)
    expect(receiveDelivery(...delivery('secret'))).toBe(204)
    expect(receiveDelivery(...delivery('forged'))).toBe(400)
    expect(printed.mock.calls.at(-1)?.join(' ')).toBe('A delivery is not authentic: wrong-signature')
  })
})

function matches(path: string, url: string): boolean {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(url.split('?')[0] ?? '')
}

/** The examples show a page that others follow. */
function lastPage(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'nextCursor' in answer
    ? { ...answer, nextCursor: null }
    : answer
}

function delivery(secret: string): [Uint8Array, Headers, string] {
  const timestamp = Math.floor(Date.now() / 1000)
  const data = { paymentId, previousStatus: paymentStatus.status, status: 'InProgress' }
  const event = {
    id: 'e',
    type: 'PAYMENT_STATUS_IN_PROGRESS',
    version: '1',
    occurredAt: '2026-11-23T10:00:00.000Z',
    data,
  }
  const body = JSON.stringify(event)
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  const headers = new Headers({
    'X-SVC-Webhook-Id': 'd',
    'X-SVC-Webhook-Timestamp': String(timestamp),
    'X-SVC-Webhook-Signature': `v1=${signature}`,
  })
  return [new TextEncoder().encode(body), headers, 'secret']
}
