/** Finds one payment, lists those that match, and deletes one that has not been sent. */
import type { OperationCall } from '../protocol/operation-call.ts'
import { pagination, parsePage } from '../protocol/pagination.ts'
import { fieldRejected, notFound } from '../protocol/provider-api-error.ts'
import { paymentResponse } from './payment-response.ts'
import { findPayment, findPayments, lockPayment, updatePayment } from './payment-store.ts'

export async function getPayment({ books, parameters }: OperationCall): Promise<object> {
  const payment = await findPayment(books, parameters['id'] ?? '')
  if (payment === undefined || (payment.status === 'deleted' && parameters['with_deleted'] !== 'true')) {
    throw notFound('payment')
  }
  return paymentResponse(payment)
}

export async function listPayments({ books, parameters }: OperationCall): Promise<object> {
  const page = parsePage(parameters)
  const { rows, total } = await findPayments(books, parameters, page)
  return { payments: rows.map(paymentResponse), pagination: pagination(page, total, 'created_at') }
}

export async function deletePayment({ books, parameters, at }: OperationCall): Promise<object> {
  const payment = await lockPayment(books, parameters['id'] ?? '')
  if (payment === undefined || payment.status === 'deleted') {
    throw notFound('payment')
  }
  if (payment.status !== 'ready_to_send' && payment.status !== 'suspended') {
    const message = `The payment is ${payment.status} and can not be deleted`
    throw fieldRejected('payment_delete_failed', 'base', 'payment_can_not_be_deleted', message)
  }
  const change = { status: 'deleted', due_at: null, updated_at: at.toString() } as const
  return paymentResponse(await updatePayment(books, payment, change))
}
