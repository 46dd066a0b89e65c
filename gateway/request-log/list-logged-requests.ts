/** Lists the partner's requests for its developers, and gets one of them with its response. */

import type { QueryOf, ResponseOf } from '../../contract/operation.ts'
import type { operations } from '../../contract/operations.ts'
import type { LoggedRequestSummary } from '../../contract/request-log.ts'
import { REQUESTS_PER_PAGE } from '../../contract/request-log-limits.ts'
import type { Context } from '../context.ts'
import { formatTimestamp } from '../platform/clock.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { parseTimeParameter } from '../platform/http/parse-time-parameter.ts'
import { lowestIdAt } from '../platform/ids.ts'
import { findRequestById, findRequests, type RequestScope } from './find-requests.ts'
import { type ListedRequest, timeOfRequest } from './logged-request.ts'

type ListRequests = typeof operations.listRequests
type GetRequest = typeof operations.getRequest

/** Of instants, which have their own offset. */
const TIME_ZONE = 'UTC'

/** A page, newest first. */
export async function listLoggedRequests(
  context: Context,
  scope: RequestScope,
  { method, status, path, errorCode, from, before, cursor, limit = REQUESTS_PER_PAGE.default }: QueryOf<ListRequests>,
): Promise<ResponseOf<ListRequests>> {
  const filter = {
    ...scope,
    method,
    statusClass: status,
    path,
    errorCode,
    fromId: lowestIdSince(from),
    beforeId: cursor?.toLowerCase() ?? lowestIdSince(before),
  }
  const { requests, next } = await findRequests(context, filter, limit)
  return { requests: requests.map(renderRequest), nextCursor: next ?? null }
}

/** Throws 404 for a request that is not in the log, or that the credentials may not see. */
export async function getLoggedRequest(
  context: Context,
  scope: RequestScope,
  svcRequestId: string,
): Promise<ResponseOf<GetRequest>> {
  const found = await findRequestById(context, scope, svcRequestId.toLowerCase())
  if (found === undefined) {
    throw apiError('not-found', 'There is no request with this svc-request-id in the log')
  }
  const { headers, requestBody, responseBody } = found
  return { ...renderRequest(found), headers, requestBody, responseBody }
}

function lowestIdSince(text: string | undefined): string | undefined {
  const time = text === undefined ? undefined : parseTimeParameter(text, TIME_ZONE)
  return time && lowestIdAt(time)
}

function renderRequest(request: ListedRequest): LoggedRequestSummary {
  const { id, method, path, status, milliseconds, clientId, errorCodes, unknownFields, subject, idempotencyKey } =
    request
  return {
    svcRequestId: id,
    receivedAt: formatTimestamp(timeOfRequest(request)),
    // Operations have no other methods.
    method: method as LoggedRequestSummary['method'],
    path,
    status,
    milliseconds,
    clientId,
    errorCodes: [...errorCodes],
    warnings: unknownFields.map((field) => ({ code: 'UnknownField', ...field })),
    subject,
    idempotencyKey,
  }
}
