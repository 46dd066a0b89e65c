/** Builds valid cross-border payments with overrides. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { Clock } from '../../platform/clock.ts'
import type { NordicBank } from '../banks/nordic-banks.ts'

const townByCountry = {
  NO: { city: 'Bergen', postCode: '5003' },
  SE: { city: 'Stockholm', postCode: '111 20' },
  DK: { city: 'Aarhus', postCode: '8000' },
  FI: { city: 'Helsinki', postCode: '00100' },
} as const

export const dollarSupplier: CrossBorderPayment['to'] = {
  account: { type: 'bban', bic: 'CHASUS33XXX', bban: '123456789', clearingCode: '021000021' },
  contactInformation: {
    name: 'Acme Tools Inc',
    address: { streetName: 'Main Street', buildingNumber: '1', city: 'Boston', postCode: '02110', country: 'US' },
  },
}

let count = 0

/** A payment to a supplier in Germany, due today, from an account of the demo company. */
export function crossBorderPayment(
  { context }: { readonly context: { readonly clock: Pick<Clock, 'today'> } },
  { bic, companyName: name, countryCode, organizationNumber }: NordicBank,
  from: { readonly bban: string; readonly currency: string },
  changes: Partial<CrossBorderPayment> = {},
): CrossBorderPayment {
  count += 1
  const { bban, currency } = from
  const address = { streetName: 'Havnegata', buildingNumber: '7', ...townByCountry[countryCode], country: countryCode }
  return {
    metadata: { endToEndId: `CB-${process.pid}-${count}` },
    from: {
      account: { type: 'bban', bic, bban },
      contactInformation: { name, address },
      currency,
      organizationNumber,
    },
    to: germanSupplier,
    amount: { amount: `${count}.25`, currency },
    dueDate: context.clock.today('Europe/Oslo').toString(),
    remittanceInformation: { message: `Invoice ${count}` },
    ...changes,
  }
}

export const germanSupplier: CrossBorderPayment['to'] = {
  account: { type: 'iban', bic: 'COBADEFFXXX', iban: 'DE89370400440532013000' },
  contactInformation: {
    name: 'Elbe Werkzeug GmbH',
    address: { streetName: 'Hafenstrasse', buildingNumber: '12', city: 'Hamburg', postCode: '20457', country: 'DE' },
  },
}

/** What makes a payment one in rupees. */
export const toIndia = {
  to: {
    account: { type: 'bban', bic: 'HDFCINBB', bban: '50100012345678', clearingCode: 'HDFC0000123' },
    contactInformation: {
      name: 'Ganga Textiles',
      address: { streetName: 'MG Road', buildingNumber: '4', city: 'Mumbai', postCode: '400001', country: 'IN' },
    },
  },
  amount: { amount: '1000.00', currency: 'INR' },
  remittanceInformation: { message: 'Invoice 4', additionalInformation: [{ type: 'Purpose', value: 'P0102' }] },
} as const satisfies Partial<CrossBorderPayment>
