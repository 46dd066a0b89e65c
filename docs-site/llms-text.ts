/** Writes llms.txt: what Havn is and where its documentation is, for programs that read text (llmstxt.org). */
import type { DocsSettings } from './docs-settings.ts'
import type { Guide } from './guides/read-guides.ts'
import type { OperationGroup } from './operation-groups.ts'

/** The file, with the URLs of this gateway. */
export function llmsText(
  { baseUrl, authUrl, mode }: DocsSettings,
  guides: readonly Guide[],
  groups: readonly OperationGroup[],
): string {
  const guideLines = guides.map(({ title, path, description }) => `- [${title}](${baseUrl}${path}.md): ${description}`)
  const operationLines = groups.flatMap(({ path, operations }) =>
    operations.map(({ id, method, path: url, summary, destructive }) => {
      const warning = destructive === undefined ? '' : ` Destructive: ${destructive}`
      return `- [${id}](${baseUrl}${path}#${id}): ${summary}. \`${method} ${url}\`${warning}`
    }),
  )
  return [
    '# Havn',
    '',
    '> A self-hosted gateway between business software (ERP, payroll, accounting) and the banks of its customers in Norway, Sweden, Denmark and Finland: payments, payrolls, exchange, accounts, onboarding and webhooks behind one HTTP API.',
    '',
    `This gateway is ${mode === 'sandbox' ? 'a sandbox: no real bank, no real money' : 'in production'}. Base URL: ${baseUrl}. Access tokens: client credentials at ${authUrl}/v2/connect/token. Orders need an Idempotency-Key; after a 503 with a paymentId the order must not be repeated.`,
    '',
    '## For programs',
    '',
    `- [OpenAPI document](${baseUrl}/openapi.json): every operation with its schemas, errors and examples`,
    `- [Errors](${baseUrl}/docs/errors): every error code with its meaning, its usual cause and what to do`,
    '',
    '## Guides',
    '',
    ...guideLines,
    '',
    '## Operations',
    '',
    ...operationLines,
    '',
  ].join('\n')
}
