/** Builds a valid request for every operation from the contract's examples, with ids that exist in a gateway. */
import { payrollBban } from '../../../contract/examples/demo-fixture.ts'
import { examplesByOperation } from '../../../contract/examples/examples-by-operation.ts'
import type { Operation } from '../../../contract/operation.ts'
import { operations } from '../../../contract/operations.ts'
import { nordicBanks } from '../banks/nordic-banks.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, OLA } from '../payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture } from '../payrolls/payroll-fixture.ts'
import type { ValidRequest } from './mutated-requests.ts'
import { validHeaders } from './send-raw-request.ts'

/** The inputs of an example of any operation. */
type Inputs = { readonly summary: string } & Partial<Omit<ValidRequest, 'operation' | 'headers'>>

const examples: Readonly<Record<string, readonly Inputs[]>> = examplesByOperation
const all: readonly Operation[] = Object.values(operations)
/** Nothing listens there, and no DNS query is needed. */
const TARGET_URL = 'https://127.0.0.1:9/hook'
/** A company of its own for the request that ends a subscription. */
const OTHER_COMPANY = { countryCode: 'FI', organizationNumber: '9900110-9' }

/** At least one request per operation. Those that end a consent have a separate consent. */
export async function validRequests(gateway: TestGateway): Promise<readonly [ValidRequest, ...ValidRequest[]]> {
  const payrolls = openPayrollFixture(gateway)
  const consents = await consentsOf(gateway, payrolls)
  const live = await liveIds(gateway, consents, payrolls)
  // Tomorrow is a bank day.
  const dueDate = gateway.context.clock.today('Europe/Oslo').add({ days: 1 }).toString()
  const headers = await validHeaders(gateway)
  const [first, ...others] = all.flatMap((operation) =>
    (examples[operation.id] ?? []).map(({ params = {}, query = {}, body }): ValidRequest => {
      const whose = /[pP]ayroll/.test(operation.id) ? 'payroll' : operation.id === 'revokeConsent' ? 'spare' : 'payer'
      const company = operation.id === 'cancelSubscription' ? OTHER_COMPANY : {}
      const ids = whose === 'payroll' ? new Map([...live, [payrollBban, bulkBank().main]]) : live
      const example = { params: { ...params, ...company }, query, ...(body === undefined ? {} : { body }) }
      const sent = withIds(example, ids, dueDate)
      return { operation, headers: { ...headers, 'consent-id': consents[whose].consentId }, ...sent }
    }),
  )
  if (first === undefined) {
    throw new Error('The contract has no operation')
  }
  return [first, ...others]
}

type Consents = Awaited<ReturnType<typeof consentsOf>>

async function consentsOf(gateway: TestGateway, payrolls: PayrollFixture) {
  return {
    payer: await acceptedConsent(gateway),
    spare: await acceptedConsent(gateway, OLA),
    payroll: await payrolls.payer.consentOf(bulkBank()),
  }
}

function bulkBank() {
  const found = nordicBanks.find(({ bic }) => bic === PAYROLL_BANKS.bulk)
  if (found === undefined) {
    throw new Error('The bank is not there')
  }
  return found
}

/** Values of the examples, and the existing values that replace them. */
async function liveIds(
  gateway: TestGateway,
  { payer, spare }: Consents,
  payrolls: PayrollFixture,
): Promise<ReadonlyMap<string, string>> {
  const { client } = gateway
  const bank = bulkBank()
  const { accounts } = await client.listAccounts(payer)
  const [paymentId, otherPaymentId, cancelledId] = [await order(), await order(), await order()]
  const approval = await client.approvePayments({ ...payer, body: approvalOf(otherPaymentId) })
  const cancellation = await client.cancelPayment({ ...payer, body: { paymentId: cancelledId, callbackUrl: CALLBACK } })
  const payroll = await payrolls.order(bank, payrolls.payroll(bank, 2))
  const body = { targetUrl: TARGET_URL, eventTypes: ['PAYMENT_STATUS' as const] }
  const subscription = await client.createWebhookSubscription({ body })
  const { deliveryId } = await client.testWebhookSubscription({ params: { id: subscription.id } })
  const onboarding = await client.startOnboarding({ body: examplesByOperation.startOnboarding[0].body })
  await gateway.context.requestLog.flush()
  const [logged] = (await client.listRequests()).requests
  return new Map([
    [examplesByOperation.getRequest[0].params.svcRequestId, logged?.svcRequestId ?? ''],
    [examplesByOperation.getPayment[0].params.paymentId, paymentId],
    [examplesByOperation.getPaymentApproval[0].params.approvalId, approval.id],
    [examplesByOperation.getPaymentCancellation[0].params.id, cancellation.id],
    [examplesByOperation.getPayrollStatus[0].params.payrollId, payroll.payrollId],
    [examplesByOperation.getWebhookSubscription[0].params.id, subscription.id],
    [examplesByOperation.getWebhookDelivery[0].params.deliveryId, deliveryId],
    [examplesByOperation.getOnboardingStatus[0].params.id, onboarding.id],
    [examplesByOperation.getAccountBalance[0].params.accountId, accounts[0]?.id ?? ''],
    [examplesByOperation.endSandboxConsent[0].params.consentId, spare.consentId],
    [examplesByOperation.createWebhookSubscription[0].body.targetUrl, TARGET_URL],
  ])

  async function order() {
    return (await client.initiateDomesticPayment({ ...payer, body: domesticPayment(gateway) })).paymentId
  }
}

function approvalOf(paymentId: string) {
  return { payments: [paymentId], callbackUrl: CALLBACK }
}

function withIds(sent: Inputs['params'], live: ReadonlyMap<string, string>, dueDate: string) {
  return JSON.parse(JSON.stringify(sent), (name, value) => (name === 'dueDate' ? dueDate : (live.get(value) ?? value)))
}
