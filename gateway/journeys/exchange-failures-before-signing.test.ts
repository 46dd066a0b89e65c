/** Shows the failures of payments with exchange before signing, that they leave no open deal, and what books a quote. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CrossBorderPayment } from '../../contract/payments/cross-border-payment.ts'
import { HavnError } from '../../sdk/index.ts'
import { findPaymentOf } from '../orders/find-orders.ts'
import { settleAsNeverAcknowledged } from '../orders/submit/settle-unknown-outcome.ts'
import { prepareRestoredDatabase } from '../prepare-restored-database.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { loggedInAtBank } from '../testing/browser/bank-user.ts'
import { type ExchangeFixture, startExchangeFixture } from '../testing/fx/exchange-fixture.ts'
import { fromAccount, toAccount } from '../testing/payments/payment-driver.ts'
import { crossBorderPayment, toIndia } from '../testing/payments/sample-cross-border-payments.ts'
import { CALLBACK, domesticPayment } from '../testing/payments/sample-payments.ts'

/** Minutes pass stop by stop, here, at the bank and at the provider. */
const TIMEOUT_MILLISECONDS = 120_000

let stage: ExchangeFixture
beforeAll(async () => {
  stage = await startExchangeFixture()
}, TIMEOUT_MILLISECONDS)
afterAll(() => stage.close())

const options = { timeout: TIMEOUT_MILLISECONDS }

describe('a payment in dollars that its partner cancels', options, () => {
  it('is cancelled while it is unsigned', async () => {
    const { gateway, payer, bank, order, detailOf, dealOf } = stage
    const { paymentId } = await order()
    const body = { paymentId, callbackUrl: CALLBACK }
    const cancelled = await gateway.client.cancelPayment({ ...(await payer.consentOf(bank)), body })
    expect(cancelled.cancellationRequestStatus).toBe('ACCEPTED')
    await gateway.sweep()
    expect((await detailOf(paymentId)).paymentStatus.status).toBe('Cancelled')
    expect(await dealOf(paymentId)).toBe('cancelled')
  })

  it('cannot be cancelled once it is signed, and the error says why', async () => {
    const { gateway, payer, bank, order, dealOf } = stage
    const { paymentId } = await order()
    await payer.sign(bank, paymentId)
    const body = { paymentId, callbackUrl: CALLBACK }
    const cancelled = await gateway.client.cancelPayment({ ...(await payer.consentOf(bank)), body })
    expect(cancelled).toMatchObject({
      cancellationRequestStatus: 'REJECTED',
      reason: expect.stringContaining('exchange is binding'),
    })
    expect(await dealOf(paymentId)).toBe('confirmed')
  })

  it('cannot be cancelled either when only the cancellation finds out that its user has just signed it', async () => {
    const { gateway, payer, bank, order, detailOf, dealOf } = stage
    const { paymentId } = await order()
    const consent = await payer.consentOf(bank)
    const approving = { payments: [paymentId], callbackUrl: CALLBACK }
    const { sca } = await gateway.client.approvePayments({ ...consent, body: approving })
    const { browser, address } = await loggedInAtBank(sca?.type === 'redirect' ? sca.url : '', bank.users[0])
    await browser.post(address, { decision: 'approve' })
    const body = { paymentId, callbackUrl: CALLBACK }
    expect(await gateway.client.cancelPayment({ ...consent, body })).toMatchObject({
      cancellationRequestStatus: 'REJECTED',
      reason: expect.stringContaining('exchange is binding'),
    })
    await gateway.sweep()
    expect((await detailOf(paymentId)).paymentStatus.status).toBe('InProgress')
    expect(await dealOf(paymentId)).toBe('confirmed')
  })
})

describe('a deadline at which the bank is unavailable', options, () => {
  it('cancels nothing until the bank can be read; what was signed in time is confirmed then', async () => {
    const { gateway, payer, bank, order, pass, detailOf, dealOf } = stage
    const [signed, unsigned] = [await order(), await order()]
    const { client } = gateway
    const consent = await payer.consentOf(bank)
    const body = { payments: [signed.paymentId], callbackUrl: CALLBACK }
    const approval = await client.approvePayments({ ...consent, body })
    await client.decideSandboxApproval({ params: { approvalId: approval.id, decision: 'sign' }, body: {} })
    await client.disturbSandboxBank({ params: { bic: bank.bic }, body: { effect: 'down' } })
    await pass('PT3M')
    expect(await dealOf(unsigned.paymentId)).toBe('booked')
    expect((await detailOf(unsigned.paymentId)).paymentStatus.status).toBe('Unsigned')
    await client.healSandboxBanks()
    await pass('PT5M')
    expect(await dealOf(unsigned.paymentId)).toBe('cancelled')
    expect(['confirmed', 'funded', 'paying']).toContain(await dealOf(signed.paymentId))
    expect((await detailOf(signed.paymentId)).paymentStatus.status).toBe('InProgress')
  })
})

describe('a database that was restored to a moment of the booking', options, () => {
  it('may have lost that the order was submitted: its outcome is unknown, and the payment stays', async () => {
    const { gateway, order, dealOf } = stage
    const { context } = gateway
    const { paymentId } = await order()
    await context.database.pool.query(
      `update payments set exchange = 'booking', outcome = 'in-flight', bank_payment_id = null, poll_at = null,
         recover_at = '2020-01-01' where id = $1`,
      [paymentId],
    )
    await prepareRestoredDatabase(context, { restoredTo: context.clock.real(), actor: 'operator Kim' })
    await gateway.sweep()
    expect(await gateway.client.getPaymentStatus({ params: { paymentId } })).toMatchObject({ outcomeUnknown: true })
    expect(await dealOf(paymentId)).toBe('booked')
    const { rows } = await context.database.pool.query<{ partnerId: string }>(
      'select partner_id as "partnerId" from payments where id = $1',
      [paymentId],
    )
    await settleAsNeverAcknowledged(context, await findPaymentOf(context, rows[0]?.partnerId ?? '', paymentId))
    await gateway.sweep()
    expect(await dealOf(paymentId)).toBe('cancelled')
  })
})

describe('a quote', options, () => {
  it('is booked by the payment that references it, once', async () => {
    const { order, invoice, gateway } = stage
    const first = await order()
    const { quoteId } = first
    expect(quoteId).toBeDefined()
    await expect(order({ ...(quoteId && { quoteId }) })).rejects.toMatchObject({ status: 422 })
    await gateway.sweep()
    expect(invoice().amount.currency).toBe('USD')
  })

  it('is booked by a payment that references it, whose own message is sent to the creditor', async () => {
    const invoice = stage.invoice()
    const { quoteId } = await stage.gateway.client.quoteExchange({ body: exchangeOrder(invoice) })
    const message = 'Invoice 4711, the second half'
    // The same bank in its other spelling.
    const account = { ...invoice.to.account, bic: invoice.to.account.bic.slice(0, 8) }
    const to = { ...invoice.to, account }
    const paid = await stage.order({ ...invoice, to, quoteId, remittanceInformation: { message } })
    expect(paid).toMatchObject({ quoteId, paymentStatus: { status: 'Unsigned' } })
    expect(await stage.dealOf(paid.paymentId)).toBe('booked')
  })

  it.each<[string, (to: CrossBorderPayment['to']) => CrossBorderPayment['to']]>([
    ['clearing code', (to) => ({ ...to, account: { ...to.account, clearingCode: '111000025' } })],
    [
      'address',
      ({ contactInformation: { name, address }, ...to }) => ({
        ...to,
        contactInformation: { name, address: { ...address, city: 'Chicago' } },
      }),
    ],
  ])('cannot be used for a creditor with another %s: 422, and nothing is booked', async (_what, changed) => {
    const invoice = stage.invoice()
    const { quoteId } = await stage.gateway.client.quoteExchange({ body: exchangeOrder(invoice) })
    const deals = await stage.countOf('fx_deals')
    await expect(stage.order({ ...invoice, quoteId, to: changed(invoice.to) })).rejects.toMatchObject({
      status: 422,
      validationErrors: [{ path: '.to' }],
    })
    expect(await stage.countOf('fx_deals')).toBe(deals)
  })

  it('cannot be used for a company of another country with the same number', async () => {
    const { gateway, order, invoice } = stage
    const ordered = invoice()
    const { quoteId } = await gateway.client.quoteExchange({ body: exchangeOrder(ordered) })
    await gateway.context.database.pool.query(`update fx_quotes set country_code = 'DK' where id = $1`, [quoteId])
    await expect(order({ ...ordered, quoteId })).rejects.toMatchObject({
      status: 422,
      validationErrors: [{ path: '.quoteId' }],
    })
  })

  it('is booked by a domestic payment to its account with its reference code, and by no other', async () => {
    const { gateway, payer, bank, pass, dealOf, invoice, detailOf } = stage
    const { client } = gateway
    const quote = await client.quoteExchange({ body: exchangeOrder() })
    const consent = await payer.consentOf(bank)
    const paying = {
      ...fromAccount(bank, bank.main),
      ...toAccount(quote.intermediaryAccount.account.bban, quote.intermediaryAccount.contactInformation.name),
      amount: quote.costAmount,
      dueDate: invoice().dueDate,
      remittanceInformation: { type: 'message' as const, value: `Dollars ${quote.referenceCode.toLowerCase()}` },
    }
    const short = { ...paying, amount: { amount: '1.00', currency: 'NOK' } }
    await expect(
      client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway, short) }),
    ).rejects.toMatchObject({ status: 422 })
    const { paymentId } = await client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway, paying) })
    expect(await dealOf(paymentId)).toBe('booked')
    await expect(
      client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway, paying) }),
    ).rejects.toMatchObject({ status: 422 })
    expect(await detailOf(paymentId)).toMatchObject({
      type: 'Domestic',
      funding: { status: 'Unsigned', referenceCode: quote.referenceCode },
    })
    await pass('PT3M')
    expect(await dealOf(paymentId)).toBe('cancelled')
    expect((await detailOf(paymentId)).paymentStatus.status).toBe('Cancelled')
  })
})

describe('an equal payment', options, () => {
  it('is accepted with a warning that names the first, in whatever format its number is written; one to another receiver has none', async () => {
    const { contactInformation } = stage.invoice().to
    const address = {
      streetName: 'Havnegade',
      buildingNumber: '7',
      postCode: '2100',
      city: 'Copenhagen',
      country: 'DK',
    }
    const [bic, amount] = ['ORESDK22', { amount: '10.00', currency: 'EUR' }]
    const pay = async (account: Pick<CrossBorderPayment['to']['account'], 'type' | 'bban' | 'iban'>) => {
      const to = { contactInformation: { ...contactInformation, address }, account: { bic, ...account } }
      return await stage.order({ metadata: { endToEndId: 'EQUAL' }, amount, to })
    }
    const first = await pay({ type: 'bban', bban: '5960 0001200011' })
    const again = await pay({ type: 'iban', iban: 'DK0259600001200011' })
    expect(again.warnings).toMatchObject([{ code: 'PossibleDuplicate', paymentId: first.paymentId }])
    expect(await pay({ type: 'bban', bban: '5960 0001200012' })).not.toHaveProperty('warnings')
  })
})

describe('what is sent for a payment in dollars', options, () => {
  it('is the information for the receiver’s country, and a message of full length as in a quote', async () => {
    const { gateway, order, invoice } = stage
    const message = 'm'.repeat(140)
    const additionalInformation: NonNullable<CrossBorderPayment['remittanceInformation']['additionalInformation']> = [
      { type: 'Reason', value: 'Tools' },
      { type: 'TaxCode', value: '12' },
    ]
    const ordered = invoice({ remittanceInformation: { message, additionalInformation } })
    const remittanceInformation = { unstructured: message, additionalInformation }
    const body = { ...exchangeOrder(ordered), remittanceInformation }
    const path = '.remittanceInformation.additionalInformation[1]'
    expect(await gateway.client.validateExchange({ body })).toMatchObject({
      warnings: [{ code: 'DestinationUnverified', path }],
    })
    expect((await order(ordered)).warnings).toMatchObject([{ code: 'NotCarriedByBank', path }])
  })

  it('is the debtor’s own text, with the domestic order that funds it, and not the regulatory reporting', async () => {
    const remittanceInformation = { message: 'Invoice', debtorReference: 'Maskiner' }
    const { paymentId } = await orderAt('MALBSESS', { remittanceInformation })
    const { rows } = await stage.gateway.context.database.pool.query(
      `select b.body->>'debtorAccountStatementText' as text
      from payments p join sandbox_bank.payments b on b.id::text = p.bank_payment_id where p.id = $1`,
      [paymentId],
    )
    expect(rows).toEqual([{ text: 'Maskiner' }])
    const regulatoryReporting = { code: '14', information: 'Tools' }
    expect((await orderAt('VSKYNO22', { regulatoryReporting })).warnings).toMatchObject([
      { code: 'NotCarriedByBank', path: '.regulatoryReporting' },
    ])
  })

  it('is an endToEndId in characters of domestic payments', async () => {
    const deals = await stage.countOf('fx_deals')
    await expect(orderAt('BLTBDK22', { metadata: { endToEndId: 'A{1}' } })).rejects.toMatchObject({
      status: 422,
      validationErrors: [{ code: 'InvalidRequest', path: '.metadata.endToEndId' }],
    })
    expect(await stage.countOf('fx_deals')).toBe(deals)
  })
})

/** Initiates a payment in dollars at another bank than that of the others. */
async function orderAt(bic: string, changes: Partial<CrossBorderPayment>) {
  const { gateway, payer, invoice } = stage
  const bank = nordicBank(bic)
  const { to, amount } = invoice()
  const account = { bban: bank.main, currency: bank.currency }
  const body = crossBorderPayment(gateway, bank, account, { to, amount, ...changes })
  return await gateway.client.initiateCrossBorderPayment({ ...(await payer.consentOf(bank)), body })
}

describe('a payment in dollars that cannot be submitted', options, () => {
  it('keeps its deal while the outcome at the bank is unknown, and is cancelled when operators report it as not executed', async () => {
    const { gateway, payer, bank, order, pass, detailOf, dealOf } = stage
    await payer.consentOf(bank)
    const fault = { operation: 'initiatePayment', effect: 'drop-request', times: 1 } as const
    await openSandboxBankControl(gateway.bank, bank.bic).injectFault(fault)
    const failure: unknown = await order().catch((error: unknown) => error)
    expect(failure).toMatchObject({ status: 503, paymentId: expect.any(String) })
    const paymentId = failure instanceof HavnError ? (failure.paymentId ?? '') : ''
    await pass('PT3M')
    expect(await dealOf(paymentId)).toBe('booked')
    expect(await detailOf(paymentId)).toMatchObject({ outcomeUnknown: true, paymentStatus: { status: 'Unsigned' } })
    const { context } = gateway
    const { rows } = await context.database.pool.query<{ partnerId: string }>(
      'select partner_id as "partnerId" from payments where id = $1',
      [paymentId],
    )
    await settleAsNeverAcknowledged(context, await findPaymentOf(context, rows[0]?.partnerId ?? '', paymentId))
    await gateway.sweep()
    expect(await dealOf(paymentId)).toBe('cancelled')
    expect(await detailOf(paymentId)).toMatchObject({ paymentStatus: { status: 'Rejected' }, finalStatus: true })
  })

  it('is rejected with a reason at the amount when that is too small for the provider', async () => {
    const reason = 'amount is too small or too large for the FX provider'
    const remittanceInformation = {
      message: 'Invoice',
      additionalInformation: [{ type: 'Purpose' as const, value: 'goods' }],
    }
    const payment = { to: toIndia.to, amount: { amount: '0.01', currency: 'INR' }, remittanceInformation }
    await expect(stage.order(payment)).rejects.toMatchObject({
      status: 422,
      validationErrors: [{ path: '.amount.amount', reason }],
    })
  })

  // A rate-limited provider gets no calls for a while: that comes last.
  it.each(['no-rate', 'closed', 'refuse-booking', 'refuse-beneficiary', 'down', 'too-many-requests'])(
    'leaves nothing when the provider returns: %s',
    async (effect) => {
      const { fx, order, countOf } = stage
      const before = [await countOf('payments'), await openDeals()]
      await fx.fault(effect)
      await expect(order()).rejects.toThrow()
      await fx.clearFaults()
      await stage.gateway.sweep()
      expect([await countOf('payments'), await openDeals()]).toEqual(before)
    },
  )
})

/** Deals that are neither failed nor cancelled. */
async function openDeals(): Promise<number> {
  const { rows } = await stage.gateway.context.database.pool.query<{ count: string }>(
    `select count(*) from fx_deals where state not in ('failed', 'cancelled')`,
  )
  return Number(rows[0]?.count)
}

function exchangeOrder(invoice = stage.invoice()) {
  const { from, to, metadata, amount, dueDate, remittanceInformation } = invoice
  const { companyName: name, organizationNumber } = stage.bank
  return {
    metadata: { ...metadata, organizationCountryCode: 'NO', organizationNumber },
    from: {
      bban: from.account.bban,
      bic: from.account.bic,
      contactInformation: { name, address: from.contactInformation.address },
      currency: from.currency,
      country: 'NO',
    },
    to: { account: { ...to.account, bban: to.account.bban ?? '' }, contactInformation: to.contactInformation },
    amount,
    dueDate,
    remittanceInformation: { unstructured: remittanceInformation.message },
  }
}
