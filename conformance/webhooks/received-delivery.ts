/** Reads what a delivery contains, and what is wrong with its signature. */
import type { ReceivedDelivery } from './receiver.ts'
import { expectedSignature } from './subscription.ts'

export const jsonOf = ({ body }: ReceivedDelivery): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

export function signatureProblems(secret: string, delivery: ReceivedDelivery): readonly string[] {
  const signature = delivery.headers['x-svc-webhook-signature'] ?? 'missing'
  return signature === expectedSignature(secret, delivery)
    ? []
    : [`X-SVC-Webhook-Signature is ${signature}, not the HMAC of timestamp, dot and body with the signing secret`]
}
