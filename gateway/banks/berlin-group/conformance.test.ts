/** Runs the conformance suite over the sandbox bank, every answer of which the standard's own file judges. */
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { startBankForTests } from '../../../sandbox/testing/bank-for-tests.ts'
import { openBankFetch } from '../bank-fetch.ts'
import { connectorConformance } from '../conformance.ts'
import type { ConformanceHarness } from '../conformance-harness.ts'
import { SAMPLE_RETURN, sampleBank, sampleCaller, sampleOrder } from '../testing/samples.ts'
import { berlinGroup } from './connector.ts'

/** Lost answers are waited for this long; nothing else takes nearly so long. */
const CALL_MILLISECONDS = 2_000

const Clock = Type.Object({ now: Type.String() })

connectorConformance('berlin-group', openHarness)

async function openHarness(): Promise<ConformanceHarness> {
  const { bank: sandbox, close } = await startBankForTests()
  const outgoing = openBankFetch({ observer: () => undefined, limits: { callMilliseconds: CALL_MILLISECONDS } })
  const bank = sampleBank({
    address: `${sandbox.xs2aUrl}/fjordbanken`,
    linkHosts: [new URL(sandbox.pagesUrl).host],
  })
  const control = controlOf(sandbox.pagesUrl)
  const today = async () => {
    const { now } = Value.Parse(Clock, await control('GET', '/clock'))
    return Temporal.Instant.from(now).toZonedDateTimeISO('Europe/Oslo').toPlainDate()
  }
  return {
    connector: berlinGroup({ fetch: outgoing.fetch, now: () => Temporal.Now.instant() }),
    caller: sampleCaller({ bank, bankConsentId: null }),
    back: SAMPLE_RETURN,
    reference: '2345676',
    today,
    order: async () => sampleOrder({ dueDate: await today() }),
    decide: async ({ authorisationId }, decision) => {
      await control('POST', `/authorisations/${authorisationId}/${decision}`, {})
    },
    settle: async (paymentId) => {
      await control('POST', `/payments/${paymentId}/settle`, {})
    },
    loseAnswer: async (effect) => {
      await control('POST', '/faults', { bank: bank.bic, operation: 'initiatePayment', effect, times: 1 })
    },
    paymentsHeld: async () => Value.Parse(Type.Array(Type.Unknown()), await control('GET', '/payments')).length,
    close: async () => {
      await outgoing.close()
      await close()
    },
  }
}

function controlOf(pagesUrl: string) {
  return async (method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${pagesUrl}/control${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) {
      throw new Error(`The bank's control API answered ${answer.status}: ${await answer.text()}`)
    }
    return await answer.json()
  }
}
