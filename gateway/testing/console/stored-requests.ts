/** Stores logged requests without sending them, for tests of the log's pages and retention. */

import { newId } from '../../platform/ids.ts'
import type { LoggedRequest } from '../../request-log/logged-request.ts'
import { insertRequests, requestRow } from '../../request-log/request-log-store.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'

/** A payment with a wrong amount. */
export const REJECTED_REQUEST: Partial<LoggedRequest> = {
  status: 422,
  errorCodes: ['InvalidAmount'],
  responseBody: JSON.stringify([
    { code: 'InvalidAmount', reason: 'amount must have at most two decimals', path: '.amount.amount' },
  ]),
}

/** As many requests as changes; returns their ids. */
export async function storeRequests(
  { context }: Pick<TestGateway, 'context'>,
  partnerId: string,
  changes: readonly Partial<LoggedRequest>[],
): Promise<readonly string[]> {
  const requests = changes.map((change) => ({ ...sampleRequest(partnerId), ...change }))
  await insertRequests(context.database, requests.map(requestRow))
  return requests.map(({ id }) => id)
}

function sampleRequest(partnerId: string): LoggedRequest {
  return {
    partnerId,
    id: newId(),
    clientId: 'demo-partner',
    method: 'POST',
    path: '/api/v2/payments',
    status: 200,
    milliseconds: 12.5,
    isPayroll: false,
    errorCodes: [],
    unknownFields: [],
    subject: null,
    idempotencyKey: 'order-17',
    headers: { 'content-type': 'application/json', 'consent-id': newId(), 'user-agent': 'erp/1.0' },
    requestBody: JSON.stringify({ amount: { amount: '1250.00', currency: 'NOK' } }),
    responseBody: JSON.stringify({ paymentId: newId() }),
  }
}
