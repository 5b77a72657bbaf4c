//! mcp layer.
