/** Shows the sandbox: its clock with what is due, and the faults that its banks have. */
import { html } from 'ghtml'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleContext } from '../console-context.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { noticeMarkup } from '../markup/notice.ts'
import { consoleText } from '../texts/console-texts.ts'
import { bankFaultSection } from './bank-faults.ts'
import { clockSection, type RejectedDate } from './clock-section.ts'
import { dataSetSection } from './data-sets.ts'

export const SANDBOX_PATH = '/console/sandbox'

/** What an action has done, or why the date that was entered is rejected. */
export type SandboxNotice = RejectedDate & { readonly done?: string }

export async function sandboxPage(
  context: ConsoleContext,
  viewer: Viewer,
  notice: SandboxNotice = {},
): Promise<ConsolePage> {
  const { token } = viewer
  const forms = { path: SANDBOX_PATH, token }
  const body = html`!${noticeMarkup(notice.done === undefined ? undefined : { status: 200, message: notice.done })}
<p>${consoleText('sandbox.explain')} <a href="/docs/sandbox">${consoleText('sandbox.guide')}</a></p>
!${await clockSection(context, { ...forms, rejected: notice })}
!${await bankFaultSection(context, forms)}
!${dataSetSection(viewer)}`
  return { kind: 'page', status: notice.dateError === undefined ? 200 : 422, title: consoleText('sandbox.title'), body }
}
