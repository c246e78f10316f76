"""Who a tenant is and what it stores."""
