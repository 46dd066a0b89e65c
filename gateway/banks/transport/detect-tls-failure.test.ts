/** Shows that a bank with which no TLS connection can be made is logged once and counted, and what a partner reads. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMetrics } from '../../platform/observability/metrics.ts'
import { BankError, BankUnreachable } from '../connector/bank-error.ts'
import { bankErrorToApiError } from '../connector/bank-error-classification.ts'
import type { BankFetch } from '../connector/connector-dependencies.ts'
import { sampleBank } from '../testing/samples.ts'
import { openBankHttpClient } from './bank-http-client.ts'
import { checkAnswers } from './deviation-observer.ts'

const plainServer = createServer((_request, response) => void response.end('{}'))
const client = openBankHttpClient({ observer: () => undefined })
beforeAll(async () => {
  await once(plainServer.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  await client.close()
  plainServer.close()
})

test('a server without TLS is logged once until it answers, and each call counted', async () => {
  const { fetch, logged, metrics } = observed(client.fetch)
  const { port } = plainServer.address() as AddressInfo
  const ask = (scheme: string) =>
    fetch(sampleBank(), { operation: 'getConsent', method: 'GET', url: `${scheme}://127.0.0.1:${port}/`, headers: {} })
  const error = await ask('https').catch((reason: unknown) => reason)
  await expect(ask('https')).rejects.toThrow(BankUnreachable)
  const fields = { bank: 'FJORNO22', operation: 'getConsent', reason: expect.stringMatching(/^(ERR_SSL_|EPROTO)/) }
  expect(logged).toEqual([expect.objectContaining(fields)])
  expect((await metrics.bankTlsFailures.get()).values).toMatchObject([{ value: 2, labels: { bank: 'FJORNO22' } }])
  const { message } = bankErrorToApiError(new BankError('unavailable', '', [], error))
  expect(message).toContain('No secure connection to the bank can be established; nothing was done')
  await ask('http')
  await expect(ask('https')).rejects.toThrow(BankUnreachable)
  expect(logged).toHaveLength(3)
})

test.each([
  ['CERT_HAS_EXPIRED', true],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', true],
  ['ERR_TLS_CERT_ALTNAME_INVALID', true],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', true],
  ['ECONNREFUSED', false],
  ['ECONNRESET', false],
])('the code %s is one of TLS: %s', async (code, isTls) => {
  const { fetch, logged } = observed(async () => {
    throw new BankUnreachable('', false, Object.assign(new Error(code), { code }))
  })
  await expect(fetch(sampleBank(), { operation: 'o', method: 'GET', url: '', headers: {} })).rejects.toThrow()
  expect(logged).toHaveLength(isTls ? 1 : 0)
})

function observed(fetch: BankFetch) {
  const logged: unknown[] = []
  const metrics = openMetrics({ processMetrics: false })
  const write = (fields: unknown) => void logged.push(fields)
  return { fetch: checkAnswers(fetch, { log: { error: write, warn: write, info: write }, metrics }), logged, metrics }
}
