/** Creates an onboarding that awaits its review, with a document, for tests of pages. */
import { decideOnboarding } from '../../onboarding/decision/decide-onboarding.ts'
import { reviewOnboarding } from '../../onboarding/decision/review-onboarding.ts'
import { completeDocuments, uploadDocument } from '../../onboarding/documents/upload-document.ts'
import { startOnboarding } from '../../onboarding/start-onboarding.ts'
import type { OnboardingKey } from '../../onboarding/store/onboarding.ts'
import { openOnboardingDriver, SHIPPING } from '../../onboarding/testing/onboarding-driver.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'

export const DOCUMENT_CONTENT = Buffer.from('%PDF-1.7\n<script>alert(1)</script>')

/** The company has a politically exposed owner, so that an operator reviews it. */
export async function createReviewedOnboarding(
  gateway: TestGateway,
  partnerId: string,
): Promise<OnboardingKey & { readonly documentId: string }> {
  const { context } = gateway
  const { id } = await startOnboarding(context, { partnerId, clientId: 'test' }, SHIPPING)
  const key = { partnerId, id }
  const driver = openOnboardingDriver(gateway)
  for (const signer of await driver.submit(key)) {
    await driver.sign(signer)
  }
  await decideOnboarding(context, key)
  const words = 'The articles of association'
  await reviewOnboarding(context, 'operator Test', key, { say: 'ask-for-documents', words })
  const file = { name: '../"vedtekter"\r\n.html', content: DOCUMENT_CONTENT }
  const uploaded = await uploadDocument(context, key, file)
  await completeDocuments(context, key)
  return { ...key, documentId: uploaded.outcome === 'kept' ? uploaded.document.id : '' }
}
