/** Shows when the confirmation code of a callback is sent to the bank, and the results. */
import { describe, expect, test } from 'vitest'
import type { AuthorisationCallback } from '../../../connector/sca-authorisation.ts'
import { SAMPLE_RETURN_URLS, sampleBank, sampleCaller, sampleSubmittedOrder } from '../../../testing/samples.ts'
import { type ScriptedAnswer, scriptedBank } from '../../../testing/scripted-bank.ts'

const OWN = '/psd2/v1/payments/norwegian-domestic-credit-transfers/p1/authorisations/a1'
const UNCONFIRMED = { scaStatus: 'unconfirmed' }

describe('a confirmation code', () => {
  test('is submitted while the bank waits for it', async () => {
    const requested = await brought({ confirmationCode: 'k-1' }, UNCONFIRMED)
    expect(requested.map(({ method, url }) => [method, new URL(url).pathname])).toEqual([
      ['GET', OWN],
      ['PUT', OWN],
    ])
    expect(requested[1]?.body).toBe('{"confirmationCode":"k-1"}')
  })

  test('is sent to the bank’s link at the bank’s API host', async () => {
    const linked = (href: string) => ({ ...UNCONFIRMED, _links: { confirmation: { href } } })
    const requested = await brought({ confirmationCode: 'k-1' }, linked('/psd2/v1/confirm/1'))
    expect(requested[1]?.url).toBe('https://xs2a.fjordbanken.example/psd2/v1/confirm/1')
    // Requests with the access token: hosts of pages for users never get it.
    for (const host of ['evil.example', 'sign.fjordbanken.example']) {
      const stray = brought({ confirmationCode: 'k-1' }, linked(`https://${host}/confirm`))
      await expect(stray).rejects.toMatchObject({ kind: 'misconfigured' })
    }
  })

  test.each(['finalised', 'failed', 'exempted'])('is stored from a bank whose status is %s', async (scaStatus) => {
    const requested = await brought({ confirmationCode: 'forged' }, { scaStatus })
    expect(requested.map(({ method }) => method)).toEqual(['GET'])
  })

  test.each(['received', 'started', 'odd'])(
    'is not submitted while the status is %s, and can be submitted later',
    async (scaStatus) => {
      const { completed, requested } = bringing({ confirmationCode: 'k-1' }, { scaStatus })
      await expect(completed).rejects.toMatchObject({ kind: 'unavailable' })
      expect(requested.map(({ method }) => method)).toEqual(['GET'])
    },
  )

  test.each([{}, { confirmationCode: '' }, { confirmationCode: 'k'.repeat(513) }, { code: 'k-1' }])(
    'is not taken from %j',
    async (query) => {
      expect(await brought(query, UNCONFIRMED)).toEqual([])
    },
  )

  test('is ignored at a bank without confirmation codes', async () => {
    expect(await brought({ confirmationCode: 'k-1' }, UNCONFIRMED, {}, null)).toEqual([])
  })

  test.each([
    [400, 'SCA_INVALID'],
    [400, 'FORMAT_ERROR'],
    [401, 'PSU_CREDENTIALS_INVALID'],
    [409, 'STATUS_INVALID'],
  ])('that the bank does not accept (%i %s) changes nothing', async (status, code) => {
    const body = JSON.stringify({ tppMessages: [{ category: 'ERROR', code }] })
    await expect(
      brought({ confirmationCode: 'k-1' }, UNCONFIRMED, { status, headers: {}, body }),
    ).resolves.toHaveLength(2)
  })

  test('that could not be submitted is reported', async () => {
    const answer = { status: 503, headers: {}, body: '' }
    await expect(brought({ confirmationCode: 'k-1' }, UNCONFIRMED, answer)).rejects.toMatchObject({
      kind: 'unavailable',
    })
  })
})

type Confirmed = [confirmed?: Partial<ScriptedAnswer>, confirmationParameter?: string | null]

/** The requests to the bank after this callback, with an authorisation in this state. */
async function brought(query: AuthorisationCallback['query'], authorisation: object, ...confirmed: Confirmed) {
  const { completed, requested } = bringing(query, authorisation, ...confirmed)
  expect(await completed).toBeNull()
  return requested
}

function bringing(
  query: AuthorisationCallback['query'],
  authorisation: object,
  ...[confirmed = {}, confirmationParameter = 'confirmationCode']: Confirmed
) {
  const accepted = { body: { scaStatus: 'finalised' } }
  const { connector, requested } = scriptedBank(({ method }) =>
    method === 'PUT'
      ? 'status' in confirmed
        ? { status: 200, headers: {}, body: '', ...confirmed }
        : accepted
      : { body: authorisation },
  )
  const caller = sampleCaller({ bank: sampleBank({ dialect: { confirmationParameter } }) })
  const begun = { authorisationId: 'a1', partlySigned: false }
  const back = { query, returnSecret: null, back: SAMPLE_RETURN_URLS }
  const payments = connector.domesticPayments ?? expect.fail('No payments are offered')
  return { completed: payments.authorisations.complete(caller, sampleSubmittedOrder(), begun, back), requested }
}
