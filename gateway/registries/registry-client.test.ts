/** Tests the registry client: a failing registry is not called for a while, an endless response is aborted. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RegistryUnavailable } from './company-registry.ts'
import { openRegistryClient, type RegistryCall, type RegistryClient } from './registry-client.ts'
import { openRecordedRegisters, type RecordedRegisters } from './testing/recorded-registers.ts'

let registers: RecordedRegisters
let lines: RegistryClient[]
beforeEach(async () => {
  registers = await openRecordedRegisters()
  lines = []
})
afterEach(async () => {
  await Promise.all(lines.map((line) => line.close()))
  await registers.close()
})

function openLine(limits: Parameters<typeof openRegistryClient>[1]) {
  const calls: RegistryCall[] = []
  const line = openRegistryClient((call) => calls.push(call), limits)
  lines.push(line)
  const get = (registry = 'brreg') =>
    line.get({ registry, operation: 'readCompany', url: `${registers.address}/`, accept: 'application/json' })
  return { get, calls }
}

test('a registry that failed many calls in a row is not called, and other ones are', async () => {
  registers.answer('/', { status: 503, body: '' })
  const { get, calls } = openLine({ failuresInRowMax: 2 })
  expect([(await get()).status, (await get()).status]).toEqual([503, 503])
  await expect(get()).rejects.toThrow(RegistryUnavailable)
  expect(registers.questions).toHaveLength(2)
  expect((await get('another')).status).toBe(503)
  expect(calls.map(({ registry, outcome }) => `${registry} ${outcome}`)).toEqual([
    'brreg 503',
    'brreg 503',
    'another 503',
  ])
})

test('an unknown company is no failure of the registry', async () => {
  const { get } = openLine({ failuresInRowMax: 2 })
  for (const _ of [1, 2, 3]) {
    expect((await get()).status).toBe(404)
  }
})

test('an endless response is aborted, and reported as unreachable', async () => {
  registers.answer('/', { status: 200, body: 'x'.repeat(2_000) })
  const { get, calls } = openLine({ responseBytesMax: 1_000 })
  await expect(get()).rejects.toThrow(RegistryUnavailable)
  expect(calls).toMatchObject([{ operation: 'readCompany', outcome: 'unreachable' }])
})

test('an unused client is closed without having been opened', async () => {
  await openRegistryClient(() => undefined).close()
})
