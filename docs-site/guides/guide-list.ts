/** Lists the guides in reading order, each a Markdown document in docs/. */
import type { operationTags } from '../../contract/openapi/openapi-document.ts'

type OperationTag = (typeof operationTags)[number][0]

export type GuideGroup = { readonly title: string; readonly guides: readonly GuideEntry[] }

/** A guide: the last part of its URL, its file below docs/, and the groups of operations whose pages link to it. */
export type GuideEntry = { readonly slug: string; readonly file: string; readonly tags: readonly OperationTag[] }

export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: 'Start',
    guides: [guide('first-payment'), guide('authentication', 'Token'), guide('errors', 'Request log')],
  },
  {
    title: 'Users and payments',
    guides: [
      guide('onboarding', 'Onboarding', 'Companies'),
      guide('consents', 'Consents', 'Accounts'),
      guide('receivers', 'Payments', 'Countries'),
      guide('signing', 'Approvals', 'Cancellations'),
      guide('two-signatories', 'Approvals'),
      guide('payment-status', 'Payments'),
      guide('statuses', 'Payments', 'Payrolls', 'Approvals', 'Cancellations', 'Consents', 'Onboarding', 'Exchange'),
      guide('bank-days', 'Banks', 'Payments', 'Exchange'),
      guide('safe-retries', 'Payments', 'Payrolls'),
      guide('payroll', 'Payrolls'),
      guide('salaries', 'Payrolls'),
      guide('pain-files', 'Payments', 'Payrolls'),
      guide('exchange', 'Exchange', 'Countries'),
    ],
  },
  {
    title: 'Events and accounts',
    guides: [{ ...guide('webhooks', 'Webhooks'), file: 'webhooks.md' }, guide('reconciliation', 'Accounts')],
  },
  {
    title: 'Test and go live',
    guides: [guide('conformance'), guide('going-live')],
  },
  {
    title: 'Extend Havn',
    guides: [guide('adding-a-bank', 'Banks'), guide('adding-a-standard')],
  },
]

export const GUIDES: readonly GuideEntry[] = GUIDE_GROUPS.flatMap(({ guides }) => guides)

/** The path of a guide's page. */
export function guidePath({ slug }: Pick<GuideEntry, 'slug'>): string {
  return `/docs/guides/${slug}`
}

function guide(slug: string, ...tags: readonly OperationTag[]): GuideEntry {
  return { slug, file: `guides/${slug}.md`, tags }
}
