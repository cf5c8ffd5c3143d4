/** Orders and what they come to. Amounts are whole cents. */

export function orderTotal({ lines }) {
  return lines.reduce((sum, { cents, count }) => sum + cents * count, 0)
}

export function ordersOf(orders, customer) {
  return orders.filter((order) => order.customer === customer)
}
