/** Shows one payment, or those that match; and deletes one that has not left. */
import type { Call } from '../protocol/operation-call.ts'
import { pageOf, pagination } from '../protocol/pagination.ts'
import { notFound, refused } from '../protocol/provider-api-error.ts'
import { showPayment } from './payment-response.ts'
import { findPayment, findPayments, lockPayment, updatePayment } from './payment-store.ts'

export async function readPayment({ books, parameters }: Call): Promise<object> {
  const payment = await findPayment(books, parameters['id'] ?? '')
  if (payment === undefined || (payment.status === 'deleted' && parameters['with_deleted'] !== 'true')) {
    throw notFound('payment')
  }
  return showPayment(payment)
}

export async function listPayments({ books, parameters }: Call): Promise<object> {
  const page = pageOf(parameters)
  const { rows, total } = await findPayments(books, parameters, page)
  return { payments: rows.map(showPayment), pagination: pagination(page, total, 'created_at') }
}

export async function deletePayment({ books, parameters, at }: Call): Promise<object> {
  const payment = await lockPayment(books, parameters['id'] ?? '')
  if (payment === undefined || payment.status === 'deleted') {
    throw notFound('payment')
  }
  if (payment.status !== 'ready_to_send' && payment.status !== 'suspended') {
    const message = `The payment is ${payment.status} and can not be deleted`
    throw refused('payment_delete_failed', 'base', 'payment_can_not_be_deleted', message)
  }
  const change = { status: 'deleted', due_at: null, updated_at: at.toString() } as const
  return showPayment(await updatePayment(books, payment, change))
}
