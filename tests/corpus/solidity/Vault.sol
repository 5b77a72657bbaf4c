// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./IVault.sol";
import {Ownable, Roles as AllRoles} from "./access/Ownable.sol";
import * as Maths from "../lib/Maths.sol";
import "@openzeppelin/contracts/token/ERC20/IERC20.sol" as Tokens;

/// One part in ten thousand.
uint256 constant BASIS = 10_000;

type Shares is uint256;

/// Thrown when there is too little.
error TooLittle(uint256 asked, uint256 there);

/// A share of an amount.
function share(uint256 amount, uint256 parts) pure returns (uint256) {
    return amount * parts / BASIS;
}

/**
 * @dev Sums, without overflow.
 */
library Sums {
    function add(uint256 a, uint256 b) internal pure returns (uint256 sum) {
        sum = a + b;
    }
}

interface IPrice {
    event Priced(address indexed token, uint256 price);

    function priceOf(address token) external view returns (uint256);
}

abstract contract Base {
    function name() public view virtual returns (string memory);
}

/// @title Keeps tokens.
contract Vault is Base, Ownable, IVault {
    using Sums for uint256;
    using {share} for uint256;

    enum State { Open, Closed }

    struct Account {
        uint256 balance;
        State state;
        mapping(address spender => uint256) allowed;
    }

    /// Most that one may hold.
    uint256 public constant LIMIT = 1_000;
    uint256 private immutable opened;
    mapping(address => Account) internal accounts;
    IPrice public prices;
    Account[] public all;

    event Deposited(address indexed from, uint256 amount);
    error Closed(State state);

    modifier whenOpen(State wanted) {
        if (accounts[msg.sender].state != wanted) revert Closed(wanted);
        _;
    }

    constructor(IPrice _prices) Ownable(msg.sender) {
        prices = _prices;
        opened = block.timestamp;
    }

    receive() external payable {
        deposit(msg.value);
    }

    fallback() external {}

    function name() public pure override returns (string memory) {
        return "vault";
    }

    /// Takes an amount.
    /// @param amount How much.
    function deposit(uint256 amount) public payable whenOpen(State.Open) returns (bool ok) {
        Account storage account = accounts[msg.sender];
        account.balance = account.balance.add(amount);
        (uint256 price, ) = quote(amount);
        uint256[] memory seen = new uint256[](2);
        for (uint256 i = 0; i < seen.length; i++) {
            seen[i] = Maths.min(price, LIMIT);
        }
        if (account.balance > LIMIT) {
            revert TooLittle({asked: amount, there: LIMIT});
        }
        emit Deposited(msg.sender, amount);
        try prices.priceOf(address(this)) returns (uint256 at) {
            accounts[msg.sender].allowed[address(prices)] = at;
        } catch Error(string memory reason) {
            require(bytes(reason).length > 0, reason);
        }
        _log(amount);
        return super.check(amount) && this.isOpen();
    }

    function quote(uint256 amount) internal view returns (uint256, uint256) {
        assembly {
            let x := add(amount, 1)
            mstore(0, x)
        }
        return (amount.share(5), 0);
    }

    function isOpen() external view returns (bool) {
        return all.length > 0;
    }

    function _log(uint256) private {}
}

contract VaultTest is Test {
    Vault vault;

    function setUp() public {
        vault = new Vault(IPrice(address(0)));
    }

    function test_deposit() public {
        assertTrue(vault.deposit(1));
    }

    function helper() internal {}
}
