/** Paginates a list as the provider does. */
import type { Parameters } from './operation-call.ts'

const PER_PAGE = 25
const PER_PAGE_MAX = 100

export type Page = { readonly number: number; readonly size: number; readonly isDescending: boolean }

export function parsePage({ page, per_page, order_asc_desc }: Parameters): Page {
  return {
    number: Math.max(wholeNumber(page) ?? 1, 1),
    size: Math.min(Math.max(wholeNumber(per_page) ?? PER_PAGE, 1), PER_PAGE_MAX),
    isDescending: order_asc_desc === 'desc',
  }
}

/** The pagination fields of a response. */
export function pagination({ number, size, isDescending }: Page, total: number, order: string): object {
  const pages = Math.max(Math.ceil(total / size), 1)
  return {
    total_entries: total,
    total_pages: pages,
    current_page: number,
    per_page: size,
    previous_page: number > 1 ? number - 1 : -1,
    next_page: number < pages ? number + 1 : -1,
    order,
    order_asc_desc: isDescending ? 'desc' : 'asc',
  }
}

function wholeNumber(text = ''): number | undefined {
  return /^[0-9]{1,6}$/.test(text) ? Number(text) : undefined
}
