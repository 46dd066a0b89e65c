/** Creates one of everything that pages of the console show by its id. */
import { beginSession } from '../../../console/sessions/begin-session.ts'
import { inviteUser } from '../../../console/users/invite-user.ts'
import { insertPasskey } from '../../../console/users/passkey-store.ts'
import { createClient } from '../../auth/create-partner.ts'
import { addCompany } from '../../companies/add-company.ts'
import { raiseTask } from '../../operators/raise-task.ts'
import { countPayments } from '../../orders/daily-counts/count-payments.ts'
import { newId, newToken } from '../../platform/ids.ts'
import { openInbox } from '../../webhooks/inbox/inbox.ts'
import { createSubscription } from '../../webhooks/subscriptions/create-subscription.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'
import { enqueueStatusChange } from '../webhooks/enqueue-status-change.ts'
import { storeAuthorisedRecords } from './stored-authorisations.ts'
import { storeDeal, storeHeldFunds } from './stored-deals.ts'
import { createReviewedOnboarding } from './stored-onboardings.ts'
import { storePayments } from './stored-payments.ts'
import { storePayroll } from './stored-payrolls.ts'
import { REJECTED_REQUEST, storeRequests } from './stored-requests.ts'

const PARTNERS_MAX = 10

/** The ids of a partner's subjects, by the names of the parameters in the paths of the route list. */
export async function createConsoleSubjects(
  gateway: TestGateway,
  partnerId: string,
): Promise<Readonly<Record<string, string>>> {
  const { context } = gateway
  const { pool } = context.database
  const user = { name: newId(), partnerId, roles: ['partner-finance'] as const }
  const { session } = await beginSession(context, { ...user, subject: user.name }, { userAgent: '', former: undefined })
  const invited = await inviteUser(context, 'operator Test', user)
  const { clientId } = await createClient(context, 'operator Test', { id: partnerId })
  const [paymentId = ''] = await storePayments(gateway, 1, { partnerId })
  const body = { targetUrl: 'https://partner.example/', eventTypes: ['PAYMENT_STATUS' as const] }
  const subscription = await createSubscription(context, { partnerId }, body)
  await enqueueStatusChange(gateway, partnerId, 'InProgress', { paymentId })
  await countPayments(context, PARTNERS_MAX)
  await storeBankCall(gateway, { partnerId, paymentId })
  await storeInboxDelivery(gateway, partnerId)
  const deliveries = await pool.query('select id, event_id from webhook_deliveries where subscription_id = $1', [
    subscription.id,
  ])
  const task = { partnerId, kind: 'UnknownOutcome', subjectType: 'payment', subjectId: paymentId, detail: {} } as const
  await raiseTask(context, task)
  const tasks = await pool.query('select id from operator_tasks where partner_id = $1', [partnerId])
  const company = { partnerId, countryCode: 'NO', organisationNumber: '988077917', name: 'Nordlys AS' }
  await addCompany(context, 'operator Test', company)
  const userId = typeof invited === 'string' ? '' : invited.user.id
  const passkeyId = newToken()
  const passkey = { credentialId: passkeyId, userId, publicKey: '', signatureCount: 0, transports: [] }
  await insertPasskey(context.database, { ...passkey, createdAt: context.clock.real(), lastUsedAt: null })
  const [requestId = ''] = await storeRequests(gateway, partnerId, [REJECTED_REQUEST])
  const onboarding = await createReviewedOnboarding(gateway, partnerId)
  return {
    dataSet: 'demo',
    onboardingId: onboarding.id,
    documentId: onboarding.documentId,
    sessionId: session.id,
    userId,
    passkeyId,
    paymentId,
    clientId,
    payrollId: await storePayroll(gateway, { partnerId, transactions: 60, submitted: 45 }),
    requestId,
    subscriptionId: subscription.id,
    deliveryId: deliveries.rows[0].id,
    eventId: deliveries.rows[0].event_id,
    taskId: tasks.rows[0].id,
    bic: 'FJORNO22',
    partnerId,
    companyNumber: 'NO-988077917',
    ...(await storeAuthorisedRecords(gateway, { partnerId, id: paymentId })),
    dealId: await storeDeal(gateway, partnerId),
    agreementId: newId(),
    receiptId: await storeHeldFunds(gateway, partnerId),
  }
}

async function storeBankCall(
  { context }: TestGateway,
  { partnerId, paymentId }: Readonly<Record<'partnerId' | 'paymentId', string>>,
): Promise<void> {
  await context.database.pool.query(
    `insert into bank_calls (partner_id, payment_id, id, bic, at, operation, method, path, status, milliseconds, request_id)
     values ($1, $2, $3, 'FJORNO22', $4, 'initiatePayment', 'POST', '/fjordbanken/v1/payments', 201, 12.5, gen_random_uuid())`,
    [partnerId, paymentId, newId(), context.clock.now().toString()],
  )
}

/** As the partner's webhook inbox received it. */
async function storeInboxDelivery({ context }: TestGateway, partnerId: string): Promise<void> {
  await openInbox(context, partnerId)
  await context.database.pool.query(
    `insert into webhook_inbox_deliveries (partner_id, id, received_at, event_type, headers, body, signature_status)
     values ($1, $2, $3, 'PAYMENT_STATUS_COMPLETED', $4, '{"type":"PAYMENT_STATUS_COMPLETED"}', 'valid')`,
    [partnerId, newId(), context.clock.real().toString(), { 'x-svc-webhook-event': 'PAYMENT_STATUS_COMPLETED' }],
  )
}
