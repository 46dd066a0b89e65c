/** Runs the conformance checks against broken servers: each mutation of a gateway fails the checks that must find it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformanceGateway, startConformanceGateway } from '../gateway/testing/conformance/conformance-gateway.ts'
import { startMutatingProxy } from '../gateway/testing/conformance/mutating-proxy.ts'
import { ORDER_MUTATIONS } from '../gateway/testing/conformance/order-mutations.ts'
import { PROTOCOL_MUTATIONS } from '../gateway/testing/conformance/protocol-mutations.ts'
import { WEBHOOK_MUTATIONS } from '../gateway/testing/conformance/webhook-mutations.ts'
import { runConformance } from './run/run-conformance.ts'

const MUTATIONS = [...PROTOCOL_MUTATIONS, ...ORDER_MUTATIONS, ...WEBHOOK_MUTATIONS]
/** Of each kind one, for a run in which each costs as little as possible. */
const FEW = ['details-unasked', 'unverified-token', 'page-repeats', 'key-without-body', 'signed-before-formatting']
/** In long runs all checks run against each of them. */
const runsAll = Number(process.env['HAVN_CONFORMANCE_MUTATIONS'] ?? 0) > 0
const tried = MUTATIONS.filter(({ id }) => runsAll || FEW.includes(id))

let running: ConformanceGateway
beforeAll(async () => {
  running = await startConformanceGateway()
})
afterAll(() => running.close())

describe('a broken server', () => {
  it.each(tried)('is found: $fault', async (mutation) => {
    const proxy = await startMutatingProxy(running.gateway.url, mutation)
    const only = runsAll ? [] : mutation.foundBy
    const { results } = await runConformance(running.targetAt(proxy.url), { only })
    await proxy.close()
    // What one broken server has disturbed does not disturb the next.
    await running.gateway.client.healSandboxBanks()
    const failed = results.filter(({ status }) => status === 'failed').map(({ check }) => check.id)
    if (runsAll) {
      console.info(`${mutation.id}: ${failed.length} failed checks: ${failed.slice(0, 8).join(', ')}`)
    }
    expect(failed).toEqual(expect.arrayContaining([...mutation.foundBy]))
  })
})

it('has many forms', () => {
  expect(new Set(MUTATIONS.map(({ id }) => id)).size).toBe(MUTATIONS.length)
  expect(MUTATIONS.length).toBeGreaterThanOrEqual(30)
})
