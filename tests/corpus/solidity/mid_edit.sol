pragma solidity ^0.8.0;

import {A} from "./A.sol";

contract Half is A {
    uint256 total;

    function whole(uint256 a) public returns (uint256) {
        return a + total;
    }

    function half(uint256 a) public {
        whole(

    event Seen(uint256 a);
}
