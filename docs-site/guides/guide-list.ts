/** Lists the guides in reading order, each a Markdown document in docs/. */

/** A group of guides in the navigation. */
export type GuideGroup = { readonly title: string; readonly guides: readonly GuideEntry[] }

/** A guide: the last part of its URL, and its file below docs/. */
export type GuideEntry = { readonly slug: string; readonly file: string }

export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: 'Start',
    guides: [guide('first-payment'), guide('authentication'), guide('errors')],
  },
  {
    title: 'Users and payments',
    guides: [
      guide('onboarding'),
      guide('consents'),
      guide('signing'),
      guide('payment-status'),
      guide('safe-retries'),
      guide('payroll'),
      guide('exchange'),
    ],
  },
  {
    title: 'Events and accounts',
    guides: [{ slug: 'webhooks', file: 'webhooks.md' }, guide('reconciliation')],
  },
  {
    title: 'Test and go live',
    guides: [guide('conformance'), guide('going-live')],
  },
  {
    title: 'Extend Havn',
    guides: [guide('adding-a-bank'), guide('adding-a-standard')],
  },
]

/** Every guide. */
export const GUIDES: readonly GuideEntry[] = GUIDE_GROUPS.flatMap(({ guides }) => guides)

/** The path of a guide's page. */
export function guidePath({ slug }: Pick<GuideEntry, 'slug'>): string {
  return `/docs/guides/${slug}`
}

function guide(slug: string): GuideEntry {
  return { slug, file: `guides/${slug}.md` }
}
