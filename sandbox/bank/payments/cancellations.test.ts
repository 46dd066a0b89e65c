/** Tests cancellations at banks of every kind, before and after authorisation. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type BankTestClient, bankTestClient, errorSummary, MONDAY } from '../../testing/bank-test-client.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { headersOf } from '../../testing/third-party.ts'

/** A day after MONDAY. */
const THURSDAY = { requestedExecutionDate: '2031-03-06' }

let tested: TestBank
beforeAll(async () => {
  tested = await startTestBank()
})
afterAll(() => tested.close())
const at = (bic: string) => bankTestClient(() => tested, bic)
beforeEach(async () => {
  await at('FJORNO22').tpp.control('POST', '/reset')
  await at('FJORNO22').tpp.control('POST', '/clock', { now: MONDAY })
})

async function unsigned({ bank, place }: BankTestClient): Promise<string> {
  return `${bank.payments}/${(await place(THURSDAY)).text('paymentId')}`
}

async function signed(visit: BankTestClient): Promise<string> {
  const path = await unsigned(visit)
  await visit.tpp.sign(`${path}/authorisations`)
  return path
}

const statusOf = async ({ tpp }: BankTestClient, path: string) =>
  (await tpp.send('GET', `${path}/status`)).text('transactionStatus')

async function requestedFor(
  visit: BankTestClient,
): Promise<{ readonly path: string; readonly collection: string; readonly id: string }> {
  const path = await signed(visit)
  await visit.tpp.send('DELETE', path)
  const collection = `${path}/cancellation-authorisations`
  return { path, collection, id: (await visit.tpp.authorise(collection)).id }
}

describe('before signing', () => {
  test.each([
    ['FJORNO22', 204],
    ['VSKYNO22', 204],
    ['MALBSESS', 204],
    ['BLTBDK22', 204],
    ['KATTDK22', 204],
    ['PAIJFIHH', 204],
  ])('%s cancels at once', async (bic, status) => {
    const visit = at(bic)
    const path = await unsigned(visit)
    const answer = await visit.tpp.send('DELETE', path)
    expect([answer.status, answer.body]).toEqual([status, null])
    expect(await statusOf(visit, path)).toBe('CANC')
  })

  test('a bank may respond with a body', async () => {
    const visit = at('AURAFIHH')
    const answer = await visit.tpp.send('DELETE', await unsigned(visit))
    expect([answer.status, answer.body]).toEqual([200, { transactionStatus: 'CANC' }])
  })

  test('a payment that one of two users has signed is cancelled at once too', async () => {
    const visit = at('FJORNO22')
    const order = { ...THURSDAY, debtorAccount: visit.bank.account.twoSigners }
    const path = `${visit.bank.payments}/${(await visit.place(order)).text('paymentId')}`
    await visit.tpp.sign(`${path}/authorisations`)
    expect([await statusOf(visit, path), (await visit.tpp.send('DELETE', path)).status]).toEqual(['PATC', 204])
    expect(await statusOf(visit, path)).toBe('CANC')
  })
})

describe('after signing', () => {
  test.each(['FJORNO22', 'VSKYNO22', 'BLTBDK22', 'ORESDK22', 'SAIMFIHH', 'VASASESS'])(
    '%s requires a signature for it, and cancels by that',
    async (bic) => {
      const visit = at(bic)
      const path = await signed(visit)
      const before = await statusOf(visit, path)
      const answer = await visit.tpp.send('DELETE', path)
      expect([answer.status, answer.text('transactionStatus')]).toEqual([202, before])
      expect(answer.text('_links.startAuthorisation.href')).toMatch(/cancellation-authorisations$/)
      expect(await statusOf(visit, path)).toBe(before)
      await visit.tpp.sign(`${path}/cancellation-authorisations`)
      expect(await statusOf(visit, path)).toBe('CANC')
    },
  )

  test.each([
    ['MALBSESS', 204],
    ['AURAFIHH', 200],
  ])('%s cancels without a signature', async (bic, status) => {
    const visit = at(bic)
    const path = await signed(visit)
    expect((await visit.tpp.send('DELETE', path)).status).toBe(status)
    expect(await statusOf(visit, path)).toBe('CANC')
  })

  test('a bank that starts authorisations implicitly starts this one', async () => {
    const visit = at('PAIJFIHH')
    const path = await signed(visit)
    const answer = await visit.tpp.send('DELETE', path, { headers: headersOf(visit.bank) })
    expect(answer.status).toBe(202)
    const link = answer.text('_links.scaRedirect.href')
    await fetch(link, { method: 'POST', body: new URLSearchParams({ userId: visit.bank.user }), redirect: 'manual' })
    await fetch(link, { method: 'POST', body: new URLSearchParams({ decision: 'reject' }), redirect: 'manual' })
    const sca = new URL(answer.text('_links.scaStatus.href')).pathname.replace(visit.bank.base, '')
    expect((await visit.tpp.send('GET', sca)).text('scaStatus')).toBe('failed')
    expect(await statusOf(visit, path)).toBe('ACTC')
  })

  test('requested again, it is the same cancellation', async () => {
    const visit = at('FJORNO22')
    const path = await signed(visit)
    await visit.tpp.send('DELETE', path)
    expect((await visit.tpp.send('DELETE', path)).status).toBe(202)
  })
})

describe('the authorisation of a cancellation', () => {
  test.each(['reject', 'leave'])('that its user does %s leaves the payment as it was', async (word) => {
    const visit = at('FJORNO22')
    const { path, collection, id } = await requestedFor(visit)
    await visit.tpp.control('POST', `/authorisations/${id}/${word}`, {})
    expect((await visit.tpp.send('GET', `${collection}/${id}`)).text('scaStatus')).toBe('failed')
    expect(await statusOf(visit, path)).toBe('ACTC')
    await visit.tpp.control('POST', '/clock', { now: '2031-03-06T12:00:00Z' })
    expect(await statusOf(visit, path)).toBe('ACSC')
  })

  test('comes too late when the payment is executed meanwhile', async () => {
    const visit = at('FJORNO22')
    const { path, collection, id } = await requestedFor(visit)
    const paymentId = path.split('/').at(-1)
    await visit.tpp.control('POST', `/payments/${paymentId}/status`, { transactionStatus: 'ACSP' })
    expect((await visit.tpp.control('POST', `/authorisations/${id}/sign`, {})).status).toBe(409)
    expect((await visit.tpp.send('GET', `${collection}/${id}`)).text('scaStatus')).toBe('failed')
    expect(await statusOf(visit, path)).toBe('ACSP')
  })

  test('is not started once the payment is being executed', async () => {
    const visit = at('FJORNO22')
    const path = await signed(visit)
    const paymentId = path.split('/').at(-1)
    await visit.tpp.control('POST', `/payments/${paymentId}/status`, { transactionStatus: 'ACSP' })
    const started = await visit.tpp.send('POST', `${path}/cancellation-authorisations`, {
      body: {},
      headers: headersOf(visit.bank),
    })
    expect(errorSummary(started).slice(0, 2)).toEqual([409, 'STATUS_INVALID'])
  })

  test.each(['LIMFDK22', 'MALBSESS', 'AURAFIHH'])('does not exist at %s', async (bic) => {
    const visit = at(bic)
    const started = await visit.tpp.send('POST', `${await signed(visit)}/cancellation-authorisations`, {
      body: {},
      headers: headersOf(visit.bank),
    })
    expect(errorSummary(started).slice(0, 2)).toEqual([405, 'SERVICE_INVALID'])
  })

  test.each([
    ['VSKYNO22', 'cancellationIds'],
    ['FJORNO22', 'authorisationIds'],
  ])('is listed at %s under %s', async (bic, member) => {
    const visit = at(bic)
    const { collection, id } = await requestedFor(visit)
    expect((await visit.tpp.send('GET', collection)).body).toEqual({ [member]: [id] })
  })

  test('is not listed among those of the payment', async () => {
    const visit = at('FJORNO22')
    const { path, id } = await requestedFor(visit)
    expect(errorSummary(await visit.tpp.send('GET', `${path}/authorisations/${id}`)).slice(0, 2)).toEqual([
      403,
      'RESOURCE_UNKNOWN',
    ])
  })
})

describe('a cancellation is rejected', () => {
  test.each(['unsigned', 'signed'])('by a bank without cancellations, of what is %s', async (stage) => {
    const visit = at('LIMFDK22')
    const path = await (stage === 'signed' ? signed(visit) : unsigned(visit))
    expect(errorSummary(await visit.tpp.send('DELETE', path)).slice(0, 2)).toEqual([405, 'CANCELLATION_INVALID'])
  })

  test.each(['FJORNO22', 'HAVBNO22'])('at %s once the payment is executed or has ended', async (bic) => {
    const visit = at(bic)
    const set = async (transactionStatus: string) => {
      const path = await unsigned(visit)
      await visit.tpp.control('POST', `/payments/${path.split('/').at(-1)}/status`, { transactionStatus })
      return errorSummary(await visit.tpp.send('DELETE', path)).slice(0, 2)
    }
    expect(await set('ACSP')).toEqual([405, 'CANCELLATION_INVALID'])
    expect(await set('ACSC')).toEqual([405, 'CANCELLATION_INVALID'])
    expect(await set('RJCT')).toEqual([409, 'STATUS_INVALID'])
    expect(await set('CANC')).toEqual([409, 'STATUS_INVALID'])
  })
})
