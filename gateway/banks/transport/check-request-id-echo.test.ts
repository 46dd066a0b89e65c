/** Shows that a bank that does not return our X-Request-ID is logged once, and that its answers are accepted. */
import { expect, test } from 'vitest'
import { openMetrics } from '../../platform/observability/metrics.ts'
import type { BankRequest } from '../connector/connector-dependencies.ts'
import { sampleBank } from '../testing/samples.ts'
import { checkAnswers } from './deviation-observer.ts'

const REQUEST: BankRequest = {
  operation: 'getConsent',
  method: 'GET',
  url: 'https://xs2a.fjordbanken.example/psd2/v1/consents/c1',
  headers: { 'x-request-id': '019ab1c2-0000-7000-8000-00000000000a' },
}

test.each([
  ['the same id', { 'x-request-id': '019ab1c2-0000-7000-8000-00000000000a' }, 0],
  ['the same id in upper case', { 'x-request-id': '019AB1C2-0000-7000-8000-00000000000A' }, 0],
  ['no id', {}, 1],
  ['another id', { 'x-request-id': '11111111-1111-4111-8111-111111111111' }, 1],
])('two responses with %s are accepted, and reported so often: %j', async (_what, headers, times) => {
  const { fetch, reported } = watched(headers)
  for (const _time of [1, 2]) {
    expect(await fetch(sampleBank(), REQUEST)).toMatchObject({ status: 200, body: '{}' })
  }
  expect(reported).toHaveLength(times)
})

test('each bank is reported separately', async () => {
  const { fetch, reported } = watched({})
  await fetch(sampleBank(), REQUEST)
  await fetch(sampleBank({ bic: 'LIMFDK22' }), REQUEST)
  expect(reported).toEqual([{ bank: 'FJORNO22' }, { bank: 'LIMFDK22' }])
})

function watched(headers: Readonly<Record<string, string>>) {
  const reported: unknown[] = []
  const write = (fields: unknown) => void reported.push(fields)
  const tools = { log: { error: write, warn: write, info: write }, metrics: openMetrics({ processMetrics: false }) }
  const fetch = checkAnswers(async () => ({ status: 200, headers, body: '{}' }), tools)
  return { fetch, reported }
}
