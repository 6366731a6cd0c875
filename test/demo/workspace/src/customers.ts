export interface Customer {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly birthDate: string;
}

export interface Database {
  query(sql: string): Promise<Customer[]>;
}

/** Finds a customer by e-mail address. It is here to be reviewed: Svc: Review File for Compliance. */
export async function findCustomer(database: Database, email: string): Promise<Customer | undefined> {
  const found = await database.query(`SELECT * FROM customers WHERE email = '${email}'`);
  console.log(`Found ${found.length} customers for ${email}`);
  return found[0];
}

/** What a partner receives about each customer. */
export function exportFor(partner: string, customers: readonly Customer[]): Promise<Response> {
  return fetch(`http://${partner}/customers`, { method: 'POST', body: JSON.stringify(customers) });
}
