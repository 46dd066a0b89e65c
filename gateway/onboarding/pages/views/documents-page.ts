/** Renders the document upload page. */
import { html } from 'ghtml'
import { errorSummary, type FieldError } from '../../../platform/http/pages/form-markup.ts'
import type { Page } from '../../../platform/http/pages/page.ts'
import type { OnboardingDocument } from '../../store/onboarding-document.ts'
import { type FlowView, flowPage, formTo } from '../flow-view.ts'

export type DocumentFault = 'missing' | 'too-large' | 'too-many' | 'wrong-kind'

/** The operator's request, the received documents and the error of the latest upload. */
export type DocumentsShown = {
  readonly requested: string
  readonly received: readonly OnboardingDocument[]
  readonly fault: DocumentFault | null
}

export function documentsPage(view: FlowView, { requested, received, fault }: DocumentsShown): Page {
  const { text } = view.texts
  const validationErrors: readonly FieldError[] =
    fault === null
      ? []
      : [
          {
            field: 'file',
            label: text('onboarding.documents.file'),
            message: text(`onboarding.documents.errors.${fault}`),
          },
        ]
  const wrong = html`<p class="problem" id="field-file-problem">${validationErrors[0]?.message ?? ''}</p>`
  const described = fault === null ? 'field-file-hint' : 'field-file-hint field-file-problem'
  return flowPage(view, {
    status: fault === null ? 200 : 422,
    title: text('onboarding.documents.title'),
    body: html`
!${errorSummary(text('onboarding.form.errorSummary'), validationErrors)}
<p>${text('onboarding.documents.intro')}</p>
<blockquote class="notice"><p>${requested}</p></blockquote>
!${received.length === 0 ? '' : receivedMarkup(view, received)}
<form method="post" action="${view.path}/documents" enctype="multipart/form-data">
!${view.tokenField}
<div class="field">
<label for="field-file">${text('onboarding.documents.file')}</label>
<p class="quiet" id="field-file-hint">${text('onboarding.documents.fileHint')}</p>
!${fault === null ? '' : wrong}
<input type="file" id="field-file" name="file" accept=".pdf,.png,.jpg,.jpeg,application/pdf,image/png,image/jpeg" aria-describedby="${described}">
</div>
<div class="actions"><button type="submit" class="${received.length === 0 ? '' : 'second'}">${text('onboarding.documents.add')}</button></div>
</form>
!${received.length === 0 ? '' : formTo(view, 'documents/done', html`<div class="actions"><button type="submit">${text('onboarding.documents.done')}</button></div>`)}`,
  })
}

function receivedMarkup({ texts: { text } }: FlowView, received: readonly OnboardingDocument[]): string {
  const items = received.map(({ name, bytes }) => {
    const kilobytes = String(Math.max(1, Math.round(bytes / 1024)))
    return html`<li><p><strong>${name}</strong> <span>${text('onboarding.documents.size', { kilobytes })}</span></p></li>`
  })
  return html`<h2>${text('onboarding.documents.received')}</h2><ul class="things">!${items.join('')}</ul>`
}
